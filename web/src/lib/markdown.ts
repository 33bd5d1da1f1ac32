// The subset of Markdown that our rules, reports and guides use, parsed into data to be drawn: nothing that comes from the
// server is ever put into the page as markup.
import type { Language } from "./preferences.svelte";

export type Span = { kind: "text" | "strong" | "em" | "code"; text: string } | { kind: "link"; text: string; address: string };

/** Where a link leads; null where only its words are shown. */
export type Leads = (address: string) => string | null;

export type Block =
  | { kind: "heading"; level: number; spans: Span[] }
  | { kind: "paragraph"; spans: Span[] }
  | { kind: "picture"; alt: string; address: string }
  | { kind: "list"; items: Span[][] }
  | { kind: "table"; head: Span[][]; rows: Span[][][] }
  | { kind: "code"; text: string };

export function parse(source: string, leads: Leads = () => null): Block[] {
  const blocks: Block[] = [];
  const inline = (text: string): Span[] => spans(text, leads);
  const lines = source.split("\n");
  const until = (from: number, more: (line: string) => boolean): string[] => {
    let to = from;
    while (to < lines.length && more(lines[to]!)) to += 1;
    return lines.slice(from, to);
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    const picture = /^!\[([^\]]*)\]\(([^)\s]*)\)\s*$/.exec(line);
    if (line.trim() === "") at += 1;
    else if (heading) {
      blocks.push({ kind: "heading", level: heading[1]!.length, spans: inline(heading[2]!) });
      at += 1;
    } else if (picture) {
      blocks.push({ kind: "picture", alt: picture[1]!, address: picture[2]! });
      at += 1;
    } else if (line.startsWith("```")) {
      const inside = until(at + 1, (one) => !one.startsWith("```"));
      blocks.push({ kind: "code", text: inside.join("\n") });
      at += inside.length + 2;
    } else if (/^ {4}\S/.test(line)) {
      const inside = until(at, (one) => /^ {4}/.test(one));
      blocks.push({ kind: "code", text: inside.map((one) => one.slice(4)).join("\n") });
      at += inside.length;
    } else if (line.startsWith("|")) {
      const rows = until(at, (one) => one.startsWith("|")).map((row) => row.replace(/^\||\|\s*$/g, "").split("|").map((cell) => inline(cell.trim())));
      blocks.push({ kind: "table", head: rows[0]!, rows: rows.slice(2) });
      at += rows.length;
    } else if (/^[-*] /.test(line)) {
      const inside = until(at, (one) => /^([-*] |\s+\S)/.test(one));
      const items: string[][] = [];
      for (const one of inside) {
        if (/^[-*] /.test(one)) items.push([one.slice(2)]);
        else items.at(-1)!.push(one.trim());
      }
      blocks.push({ kind: "list", items: items.map((item) => inline(joined(item))) });
      at += inside.length;
    } else {
      const inside = until(at, (one) => one.trim() !== "" && !/^(#|```|!\[|\||[-*] )/.test(one));
      blocks.push({ kind: "paragraph", spans: inline(joined(inside)) });
      at += Math.max(1, inside.length);
    }
  }
  return blocks;
}

/** Rules are written in both languages; the parts in one of them, recognised by their script. */
export function inLanguage(source: string, language: Language): string {
  const parts = source.split(/^(?=# |## (?:English|中文)\s*$)/m).filter((part) => part.split("\n").slice(1).some((line) => line.trim() !== ""));
  const mine = parts.filter((part) => chinese(part) === (language === "zh"));
  return (mine.length ? mine : parts).join("\n").replace(/^## (English|中文)\s*$/gm, "");
}

/** Without the parts for readers of a terminal, each up to the next heading of a part. */
export function withoutCommandLine(source: string): string {
  return source.replace(/^### (?:Command line|命令行)\s*$[\s\S]*?(?=^#{1,2} |(?![\s\S]))/gm, "");
}

/** Reports have each paragraph in both languages; those in one of them. */
export function paragraphsIn(blocks: Block[], language: Language): Block[] {
  const text = (block: Block): string => (block.kind === "paragraph" ? block.spans.map((span) => span.text).join("") : "");
  return blocks.filter((block) => block.kind !== "paragraph" || chinese(text(block)) === (language === "zh"));
}

function chinese(text: string): boolean {
  const characters = text.match(/[\u3400-\u9fff]/g)?.length ?? 0;
  const letters = text.match(/[a-z]/gi)?.length ?? 0;
  return characters * 2 > letters;
}

/** Lines joined by a space, but by none between Chinese characters. */
function joined(lines: string[]): string {
  return lines.map((line) => line.trim()).join("\n").replace(/([\u3000-\u9fff\uff00-\uffef])\n(?=[\u3000-\u9fff\uff00-\uffef])/g, "$1").replaceAll("\n", " ");
}

function spans(text: string, leads: Leads): Span[] {
  const found: Span[] = [];
  let rest = text.replace(/\[([^\]]*)\]\(([^)]*)\)/g, (link, words: string, address: string) => (leads(address) === null ? words : link));
  while (rest) {
    const next = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]*)\]\(([^)]*)\)/.exec(rest);
    if (!next) break;
    if (next.index) found.push({ kind: "text", text: rest.slice(0, next.index) });
    const [whole, code, strong, em, words, address] = next;
    if (code !== undefined) found.push({ kind: "code", text: code });
    else if (strong !== undefined) found.push({ kind: "strong", text: strong });
    else if (em !== undefined) found.push({ kind: "em", text: em });
    else found.push({ kind: "link", text: words!.replaceAll("*", ""), address: leads(address!)! });
    rest = rest.slice(next.index + whole.length);
  }
  if (rest) found.push({ kind: "text", text: rest });
  return found;
}
