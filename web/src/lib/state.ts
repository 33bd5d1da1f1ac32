// How each event changes what is known of a room: the server's `boyi.server.protocol.reducer.apply` in TypeScript. A test compares the two.
import type { EventMessage, GameState, RoomState, Standing, StartedView } from "../protocol";
import { stonesAfterChanges } from "./history";

/** Older lines of the chat are dropped. */
const CHAT_LINES = 50;

type Body = EventMessage["body"];

export function apply(state: RoomState, seq: number, at: number, body: Body): void {
  state.seq = seq;
  state.at = at;
  switch (body.kind) {
    case "created":
      state.settings = body.settings;
      state.date = body.date;
      state.seats = Array.from({ length: body.settings.players }, () => ({ person: null, level: null, epoch: 0, seconds: null, opponent: "" }));
      break;
    case "joined":
      state.persons.push({ person: body.person, name: body.name, account: body.account, agent: body.agent, ready: false, away_until: null });
      state.host ??= body.person;
      break;
    case "left":
      state.persons = state.persons.filter((one) => one.person !== body.person);
      for (const seat of state.seats) {
        if (seat.person === body.person) Object.assign(seat, { person: null, level: null, epoch: seat.epoch + 1 });
      }
      if (state.host === body.person) state.host = null;
      break;
    case "host_changed":
      state.host = body.person;
      break;
    case "sat":
      state.seats[body.seat]!.person = body.person;
      break;
    case "stood":
      state.seats[body.seat]!.person = null;
      person(state, body.person, (one) => (one.ready = false));
      break;
    case "ai_seated":
      Object.assign(state.seats[body.seat]!, { level: body.level, seconds: body.seconds ?? null, opponent: body.opponent ?? "" });
      state.seats[body.seat]!.epoch += 1;
      break;
    case "readied":
      person(state, body.person, (one) => (one.ready = body.ready));
      break;
    case "away":
      person(state, body.person, (one) => (one.away_until = body.until));
      break;
    case "back":
      person(state, body.person, (one) => (one.away_until = null));
      break;
    case "said": {
      const name = state.persons.find((one) => one.person === body.person)?.name ?? "";
      state.chat = [...state.chat, { at, person: body.person, name, text: body.text }].slice(-CHAT_LINES);
      break;
    }
    case "muted":
      state.muted = [...state.muted.filter((one) => one !== body.person), ...(body.muted ? [body.person] : [])];
      break;
    case "closed":
      state.phase = "closed";
      break;
    case "paused": {
      const game = state.game;
      if (game?.clocks_ms && state.phase === "playing") {
        const turn = game.standing.turn;
        if (turn !== null && !game.flagged.includes(turn)) spend(game, turn, at);
        game.began = at;
      }
      break;
    }
    case "stalled":
      break; // no clock went on meanwhile
    case "started":
      start(state, seq, at, body);
      break;
    default:
      if (state.game) applyToGame(state, state.game, seq, at, body);
  }
}

function start(state: RoomState, seq: number, at: number, body: StartedView): void {
  state.phase = "playing";
  body.players.forEach((player, number) => {
    const seat = state.seats[number]!;
    Object.assign(seat, { person: player.person, level: player.level, epoch: seat.epoch + 1, seconds: player.seconds ?? null, opponent: player.opponent ?? "" });
  });
  for (const one of state.persons) one.ready = false;
  state.game = {
    number: body.number, names: body.players.map((player) => player.name), date: body.date, rated: body.rated,
    commitment: body.commitment, start: body.start, stones: body.stones, standing: body.standing, began: at,
    turn_seq: seq, plies: [], clocks_ms: body.clocks_ms, left: [], flagged: [], assisted: [], draw: [], takeback: [],
    rematch: [], result: null, seed: "", forfeit: null,
  };
}

function applyToGame(state: RoomState, game: GameState, seq: number, at: number, body: Body): void {
  switch (body.kind) {
    case "moved":
      game.plies.push({ seat: body.seat, text: body.text, level: body.level, forced: body.forced, fallback: body.fallback, spent_ms: body.spent_ms });
      game.stones = stonesAfterChanges(game.stones, body.changes);
      beginTurn(game, seq, at, body.standing);
      game.clocks_ms = body.clocks_ms;
      game.takeback = [];
      game.draw = game.draw.filter((one) => one === body.seat);
      break;
    case "taken_back":
      game.plies.length -= body.moves;
      game.stones = body.stones;
      if (game.clocks_ms && game.standing.turn !== null) spend(game, game.standing.turn, at);
      beginTurn(game, seq, at, body.standing);
      game.takeback = [];
      game.draw = [];
      break;
    case "resigned":
      if (!body.text) break;
      game.plies.push({ seat: body.seat, text: body.text, level: null, forced: false, fallback: false, spent_ms: 0 });
      game.left.push(body.seat);
      if (game.standing.turn === body.seat) beginTurn(game, seq, at, body.standing);
      game.standing = body.standing;
      game.takeback = [];
      game.draw = [];
      break;
    case "handed": {
      const seat = state.seats[body.seat]!;
      Object.assign(seat, { level: body.level, epoch: body.epoch, seconds: body.seconds ?? null, opponent: body.opponent ?? "" });
      if (body.level === null) break;
      game.rated = false;
      if (!game.assisted.includes(body.seat)) game.assisted.push(body.seat);
      if (body.why === "flag") {
        game.flagged.push(body.seat);
        if (game.clocks_ms) game.clocks_ms[body.seat] = 0;
      }
      break;
    }
    case "forfeited":
      game.rated = false;
      game.forfeit = { places: body.places, reason: body.reason, words: body.words, rated: true };
      break;
    case "draw_offered":
      game.draw.push(body.seat);
      break;
    case "draw_declined":
      game.draw = [];
      break;
    case "takeback_offered":
      game.takeback.push(body.seat);
      break;
    case "takeback_declined":
      game.takeback = [];
      break;
    case "rematch_offered":
      game.rematch.push(body.seat);
      break;
    case "ended":
      state.phase = "finished";
      game.result = { places: body.places, reason: body.reason, words: body.words, rated: body.rated };
      game.seed = body.seed;
      game.draw = [];
      game.takeback = [];
      game.standing = over(game.standing, game.standing.position, game.standing.tokens);
      if (body.truth) {
        game.start = body.truth.start;
        game.stones = body.truth.stones;
        game.standing = over(game.standing, body.truth.position, body.truth.tokens);
        body.truth.moves.forEach((text, number) => {
          const ply = game.plies[number];
          if (ply) ply.text = text;
        });
      }
      for (const seat of state.seats) {
        if (seat.person !== null && seat.level !== null) Object.assign(seat, { level: null, epoch: seat.epoch + 1 });
      }
      break;
  }
}

function over(standing: Standing, position: string, tokens: Standing["tokens"]): Standing {
  return { ...standing, turn: null, position, task: null, checked: false, pools: null, tokens };
}

function beginTurn(game: GameState, seq: number, at: number, standing: Standing): void {
  game.standing = standing;
  game.began = at;
  game.turn_seq = seq;
}

function spend(game: GameState, seat: number, at: number): void {
  if (game.clocks_ms) game.clocks_ms[seat] = Math.max(0, game.clocks_ms[seat]! - (at - game.began));
}

function person(state: RoomState, identity: string, change: (one: RoomState["persons"][number]) => void): void {
  const one = state.persons.find((candidate) => candidate.person === identity);
  if (one) change(one);
}
