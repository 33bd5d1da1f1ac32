// The players' guides (docs/players), as the page shows them.
import type { Words } from "../protocol";
import { parse, type Block } from "./markdown";

type Guide = "play" | "notation" | "analysis";

/** What `/help/TOPIC` shows: a guide, from its beginning or from one of its headings. */
export const TOPICS: Record<string, { guide: Guide; heading?: Words }> = {
  play: { guide: "play" },
  notation: { guide: "notation" },
  analysis: { guide: "analysis" },
  room: { guide: "play", heading: { en: "Make a move", zh: "走子" } },
  levels: { guide: "play", heading: { en: "Levels", zh: "难度" } },
  accounts: { guide: "play", heading: { en: "My games, accounts and ratings", zh: "我的对局、账号与等级分" } },
  review: { guide: "analysis", heading: { en: "Game review", zh: "复盘" } },
  puzzles: { guide: "analysis", heading: { en: "Puzzles", zh: "习题" } },
};

/** The line that leads to the other language, for which the page has a switch; and lines of links to the rest of the documentation. */
const LEFT_OUT = /^(?:\[(?:中文|English)\]\([^)]*\)|\S{0,10} ?(?:\[[^\]]*\]\(\.\.\/[^)]*\)[,、.。]? ?)+)$/gm;

/** A guide to be drawn. Links to other guides lead to them; links to other pages of the documentation are text. */
export function blocksOf(source: string, base: string): Block[] {
  return parse(source.replace(LEFT_OUT, ""), (address) => {
    const guide = /^(\w+)(?:\.zh)?\.md/.exec(address)?.[1];
    return guide !== undefined && guide in TOPICS ? `${base}/help/${guide}` : null;
  });
}
