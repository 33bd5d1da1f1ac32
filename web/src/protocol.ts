// Written by `python -m tools.page_types` from the server's message types; a test compares. Do not edit.

/** The request is done and on disk. */
export interface Ack {
  type: "ack";
  id: number;
  seq: number;
}

/** The AI was put into an empty seat, or taken out of it (no level). */
export interface AiSeated {
  kind: "ai_seated";
  seat: number;
  level: number | null;
  seconds?: number | null;
  opponent?: string;
}

/** Analyse a position from now on, instead of the one before; or go on with it after `exhausted`. */
export interface Analyse {
  type: "analyse";
  game: string;
  options?: Record<string, boolean | number | string>;
  start?: string;
  moves?: string[];
  id?: number;
  kept?: number;
  lines?: number;
  notation?: string;
  threat?: boolean;
}

/** A move, what is expected to follow, and what it is worth to the player to act. */
export interface AnalysedLine {
  moves: string[];
  paths: string[][];
  value: number;
  odds: number;
  wins_in: number | null;
  written: string[];
  reveals: Reveal[];
}

/** The best moves of a position, the best first. */
export interface Analysis {
  lines: AnalysedLine[];
  turn: number;
  depth: number;
  nodes: number;
}

/** Agree to a draw, or not. */
export interface AnswerDraw {
  type: "answer_draw";
  id: number;
  seen: number;
  accept: boolean;
}

/** Agree to it, or not. */
export interface AnswerTakeback {
  type: "answer_takeback";
  id: number;
  seen: number;
  accept: boolean;
}

/** A position set up by hand. */
export interface ArrangedStones {
  stones: Stone[];
  fields?: Record<string, string>;
}

/** How good are the best moves of a position? Not for a game that is being played here. */
export interface AskAnalysis {
  game: string;
  options?: Record<string, boolean | number | string>;
  start?: string;
  moves?: string[];
  lines?: number;
  nodes?: number;
}

/** What was played in a position, and what is it called? Not for a game that is being played here. */
export interface AskExplorer {
  game: string;
  options?: Record<string, boolean | number | string>;
  start?: string;
  moves?: string[];
  notation?: string;
}

/** Ask for the course of the game; the answer is `history`. For anyone, at any time. */
export interface AskHistory {
  type: "history";
  id: number;
  seen: number;
}

/** The games that one has played, as one file; the latest 1,000 of them. */
export interface AskMyFile {
  tokens: string[];
  game?: string;
  result?: "" | "drawn" | "lost" | "won";
  opponent?: "" | "computer" | "people";
  after?: [number, string, number] | null;
  format?: string;
}

/** The games that one has played, by all the tokens that one has had: a nickname is a person of its own. */
export interface AskMyGames {
  tokens: string[];
  game?: string;
  result?: "" | "drawn" | "lost" | "won";
  opponent?: "" | "computer" | "people";
  after?: [number, string, number] | null;
}

/** A game whose moves are to be written in another notation. */
export interface AskNotation {
  game: string;
  options?: Record<string, boolean | number | string>;
  start?: string;
  moves?: string[];
  notation: string;
  known?: number;
}

/** What stands where in a position of any game, and what may be played? It is not kept anywhere. */
export interface AskPosition {
  game: string;
  options?: Record<string, boolean | number | string>;
  start?: string;
  moves?: string[];
  arranged?: ArrangedStones | null;
  known?: number;
}

/** A game to be written as a file. */
export interface AskRecord {
  game: string;
  options?: Record<string, boolean | number | string>;
  start?: string;
  moves?: string[];
  players?: string[];
  result?: number[] | null;
  reason?: string;
  format?: string;
  notation?: string;
}

/** Review a game: one that is over, by its room and number, or a record. */
export interface AskReview {
  room?: string;
  number?: number;
  record?: string;
}

/** A person's connection is gone. */
export interface Away {
  kind: "away";
  person: string;
  until: number;
}

/** A person is connected again. */
export interface Back {
  kind: "back";
  person: string;
}

/** A game's board, as `boyi.core.board.Board` has it, and what stands on it at the start. */
export interface BoardInfo {
  game: string;
  points: Point[];
  lines: ([[number, number], [number, number]])[];
  zones: ZoneInfo[];
  labels: Label[];
  coordinates: Record<string, Label[]>;
  notation_family: string;
  usual_notation: Words;
  dots: ([number, number])[];
  brackets: ([number, number])[];
  cells: boolean;
  surface: string;
  glyphs: Glyph[];
  seats: SeatInfo[];
  outlines: Record<string, Outline>;
  stones: Stone[];
}

/** What may come where chance is to act. */
export interface ChanceResult {
  text: string;
  changes: Change[];
  odds: number;
  told: Words;
}

/** One thing that a move does to the board. */
export interface Change {
  kind: "captured" | "flipped" | "marked" | "moved" | "placed" | "revealed";
  point: string;
  glyph: string;
  to?: string | null;
}

/** Say something to everyone. */
export interface Chat {
  type: "chat";
  id: number;
  seen: number;
  text: string;
}

/** Ask for the last move of a seat; the answer is `display`. For anyone, at any time. */
export interface Check {
  type: "check";
  id: number;
  seen: number;
  seat: number;
}

/** End a game whose other player stays away: as a win, or a draw. */
export interface Claim {
  type: "claim";
  id: number;
  seen: number;
  result?: "draw" | "win";
}

/** How much time each player has. */
export interface ClockRule {
  main_ms: number;
  increment_ms: number;
}

/** The host, before or after a game: close the room. */
export interface Close {
  type: "close";
  id: number;
  seen: number;
}

/** The room is closed. */
export interface Closed {
  kind: "closed";
  why: "closed" | "empty";
}

/** How many of a player's covered pieces may be of this kind, as far as the viewer knows. */
export interface Covered {
  seat: number;
  glyph: string;
  count: number;
}

/** The room was created. */
export interface CreatedView {
  kind: "created";
  settings: Settings;
  date: string;
}

/** An account. */
export interface Credentials {
  name: string;
  password: string;
}

/** A series of numbers; where an error is known, `low` and `high` are as long as `values`. */
export interface Curve {
  name: string;
  steps: number[];
  values: number[];
  low: number[];
  high: number[];
}

/** The end of one's account: it must be meant, so it needs the password. */
export interface Deletion {
  password: string;
}

/** A level by its name, for those who do not want to choose among numbers. */
export interface DifficultyInfo {
  name: string;
  title: Words;
  level: number;
}

/** The last move of a seat, in answer to `check`; none if it has made no move. */
export interface Display {
  type: "display";
  id: number;
  seat: number;
  move: LastMove | null;
}

/** A player declines a draw. */
export interface DrawDeclined {
  kind: "draw_declined";
  seat: number;
  why: "" | "early" | "plays_on";
}

/** A player offers a draw, or agrees to one. */
export interface DrawOffered {
  kind: "draw_offered";
  seat: number;
}

/** The game is over. */
export interface Ended {
  kind: "ended";
  places: number[];
  reason: string;
  words: Words;
  rated: boolean;
  seed: string;
  truth: Truth | null;
}

/** Something happened. */
export interface EventMessage {
  type: "event";
  seq: number;
  at: number;
  body: Joined | Left | HostChanged | Sat | Stood | AiSeated | Readied | Handed | Forfeited | DrawOffered | DrawDeclined | TakebackOffered | TakebackDeclined | RematchOffered | Away | Back | Said | Muted | Paused | Stalled | Closed | Ended | CreatedView | StartedView | MovedView | TakenBackView | ResignedView;
}

/** Your budget is used up, and the analysis waits; say `analyse` again to go on. */
export interface Exhausted {
  type: "exhausted";
  id: number;
  words: Words;
  retry_after_ms: number;
}

/** A move that was played in a position, or that leads to an opening with a name. */
export interface ExploredMove {
  name: string;
  moves: string[];
  sources: Record<string, MoveCounts>;
  opening: NamedOpening | null;
}

/** What is known of a position. */
export interface ExploredPosition {
  key: string;
  opening: NamedOpening | null;
  moves: ExploredMove[];
  names: Record<string, WrittenMove>;
}

/** An opening that a player often plays, with either side. */
export interface FavouriteOpening {
  game: string;
  name: Words;
  code: string;
  won: number;
  drawn: number;
  lost: number;
}

/** One of the values of a field. */
export interface FieldChoice {
  value: string;
  words: Words;
}

/** Something about a position that its stones do not show, and how it stands. */
export interface FieldInfo {
  name: string;
  title: Words;
  choices: FieldChoice[];
  value: string;
}

/** A game that is over, with all that a page about it shows. */
export interface FinishedInfo {
  room: string;
  number: number;
  game: string;
  options: Record<string, boolean | number | string>;
  start: string;
  moves: string[];
  stones: Stone[];
  path: string[];
  rated: boolean;
  names: string[];
  places: number[];
  reason: Words | null;
  date: string;
  open: boolean;
}

/** A game that is over, as it is listed. */
export interface FinishedSummary {
  room: string;
  number: number;
  game: string;
  rated: boolean;
  names: string[];
  places: number[];
  date: string;
}

/** A player lost a rated game because the AI plays their seat from now on; the game goes on unrated. */
export interface Forfeited {
  kind: "forfeited";
  seat: number;
  places: number[];
  reason: "abandoned" | "handed_over" | "time";
  words: Words;
}

/** A way to keep games in files. */
export interface FormatInfo {
  name: string;
  title: Words;
  suffix: string;
  writes: boolean;
  notations: string[];
}

/** The answer to `SeekOpponent`. */
export interface FoundOpponent {
  room: string;
}

/** A game that rooms can be created for. */
export interface GameInfo {
  name: string;
  title: Words;
  players: number[];
  options: Option[];
  notations: NotationInfo[];
  notation_family: string;
  usual_notation: Words;
  formats: FormatInfo[];
  has_chance: boolean;
  unit: Words;
  ladders: LadderInfo[];
  introduction: boolean;
  lessons: LessonInfo[];
}

/** The game that is played, or the last one. */
export interface GameState {
  number: number;
  names: string[];
  date: string;
  rated: boolean;
  commitment: string;
  start: string;
  stones: Stone[];
  standing: Standing;
  began: number;
  turn_seq: number;
  plies: PlyState[];
  clocks_ms: number[] | null;
  left: number[];
  flagged: number[];
  assisted: number[];
  draw: number[];
  takeback: number[];
  rematch: number[];
  result: Result | null;
  seed: string;
  forfeit: Result | null;
}

/** What a kind of stone looks like. */
export interface Glyph {
  code: string;
  seat: number | null;
  name: Words;
  letter: string;
  character: string;
  simplified: string;
  picture: string;
  style: "covered" | "marked" | "plain";
  mark: "" | "cross" | "diamond" | "disc" | "ring" | "square" | "triangle";
  royal: boolean;
}

/** The server ends the connection, and why; `resync` and `stopping` ask to come back. */
export interface Goodbye {
  type: "goodbye";
  code: string;
  words: Words;
}

/** Say who asks, before anything else; without it the address pays. */
export interface Greeting {
  type: "hello";
  token: string;
}

/** 托管: let the AI play one's seat, until `resume`. A rated game is lost by it, and goes on unrated. */
export interface HandOver {
  type: "hand_over";
  id: number;
  seen: number;
  level: number;
  confirm?: boolean;
  seconds?: 1 | 3 | 10 | null;
  opponent?: string;
}

/** A seat changed hands: to the AI of a level, or back to its person (no level). */
export interface Handed {
  kind: "handed";
  seat: number;
  level: number | null;
  epoch: number;
  why: "asked" | "disconnected" | "flag";
  seconds?: number | null;
  opponent?: string;
}

/** The first frame: which room, who, and what is known of it already. */
export interface Hello {
  type: "hello";
  room: string;
  token?: string;
  password?: string;
  client?: string;
  seen?: number | null;
  protocol?: number;
}

/** Ask for the strongest move in one's place; the answer is `hint`. Not in rated games. */
export interface Hint {
  type: "hint";
  id: number;
  seen: number;
  notation?: string;
}

/** The strongest move that an engine found in a second. */
export interface HintGiven {
  type: "hint";
  id: number;
  text: string;
  path: string[];
  moves: string[];
  written: string[];
  paths: string[][];
  odds: number;
  why: Words | null;
}

/** The course of the game so far, in answer to `history`: its changes, done in order, give every position. */
export interface History {
  type: "history";
  id: number;
  number: number;
  stones: Stone[];
  plies: PlayedMove[];
  tokens: Token[] | null;
}

/** Another person is the host now. */
export interface HostChanged {
  kind: "host_changed";
  person: string;
}

/** What could not be read of something that a person pasted. */
export interface ImportProblem {
  words: Words;
  number: number | null;
  text: string;
  until: ReadRecord | null;
}

/** The games, or the position, in a text or a file: of whatever game they are. */
export interface ImportedGames {
  records: ReadRecord[];
  problem: ImportProblem | null;
}

/** Two minutes with a game, or a lesson, step by step. */
export interface IntroductionInfo {
  game: string;
  title: Words;
  options: Record<string, boolean | number | string>;
  seat: number;
  steps: StepInfo[];
}

/** Enter the room, to sit or to chat; watching needs no joining. The first person in it is the host. */
export interface Join {
  type: "join";
  id: number;
  seen: number;
  agent?: string;
}

/** A person joined the room. */
export interface Joined {
  kind: "joined";
  person: string;
  name: string;
  account: boolean;
  agent: string;
}

/** A puzzle and what is answered to each right move, for a client that will be offline. */
export interface KeptPuzzle {
  puzzle: ShownPuzzle;
  answers: PuzzleAnswer[];
}

/** The host: remove a person from the room, for good; during a game only those who do not play. */
export interface Kick {
  type: "kick";
  id: number;
  seen: number;
  person: string;
}

/** Words or coordinates written on the board. */
export interface Label {
  text: string;
  x: number;
  y: number;
  size: number;
  kind: "coordinate" | "words";
}

/** The levels of a game with some numbers of players, from 1 up; the highest takes the seconds that it is given. */
export interface LadderInfo {
  players: number[];
  levels: LevelInfo[];
  difficulties: DifficultyInfo[];
  opponents: OpponentInfo[];
}

/** A move to be shown again: where it began, how it went, what it changed. */
export interface LastMove {
  text: string;
  path: string[];
  changes: Change[];
  before: string;
  stones: Stone[];
}

/** Leave the room; while a game is played: resign and leave. */
export interface Leave {
  type: "leave";
  id: number;
  seen: number;
}

/** A person is no longer in the room. */
export interface Left {
  kind: "left";
  person: string;
  why: "away" | "kicked" | "left";
}

/** A move that may be made. */
export interface LegalMove {
  text: string;
  path: string[];
}

/** What a list of lessons tells of one. */
export interface LessonInfo {
  name: string;
  title: Words;
  about: Words;
  steps: number;
}

/** A level of the AI. */
export interface LevelInfo {
  title: Words;
  meaning: Words | null;
  rating: number | null;
}

/** A line of chat. */
export interface Line {
  at: number;
  person: string;
  name: string;
  text: string;
}

/** How far a live analysis has come. */
export interface LiveAnalysis {
  lines: AnalysedLine[];
  turn: number;
  depth: number;
  nodes: number;
  seconds: number;
  speed: number;
  by_visits: boolean;
  ended: boolean;
}

/** A public game that is being played, as a spectator sees it. */
export interface LiveGame {
  room: RoomSummary;
  options: Record<string, boolean | number | string>;
  number: number;
  stones: Stone[];
  path: string[];
  changes: Change[];
}

/** What was found about a decision; odds are the player's. */
export interface Look {
  number: number;
  best: LookLine;
  played: LookLine;
  forced: boolean;
  only_move: boolean;
  accepted: string[];
  luck?: number | null;
  depth: number;
}

/** A move, what is expected to follow, and what it is worth to the player. */
export interface LookLine {
  moves: string[];
  path: string[];
  odds: number;
  wins_in?: number | null;
}

/** Make a move, in any notation of the game. */
export interface Move {
  type: "move";
  id: number;
  seen: number;
  move: string;
}

/** How often a move was played, and how it went for the player who made it. */
export interface MoveCounts {
  games: number;
  wins: number;
  draws: number;
  losses: number;
  value: number | null;
}

/** A move was made. */
export interface MovedView {
  kind: "moved";
  seat: number | null;
  text: string;
  path: string[];
  changes: Change[];
  standing: Standing;
  level: number | null;
  forced: boolean;
  fallback: boolean;
  spent_ms: number;
  credit_ms: number;
  clocks_ms: number[] | null;
  drawn: Words[];
  checked: number | null;
}

/** The host: keep a person from chatting, or let them chat again. */
export interface Mute {
  type: "mute";
  id: number;
  seen: number;
  person: string;
  muted?: boolean;
}

/** The host muted a person: they cannot chat; or they can again. */
export interface Muted {
  kind: "muted";
  person: string;
  muted: boolean;
}

/** A game that one has played. */
export interface MyGame {
  room: string;
  number: number;
  game: string;
  options: Record<string, boolean | number | string>;
  seat: number;
  result: "drawn" | "lost" | "won";
  rated: boolean;
  names: string[];
  places: number[];
  reason: Words | null;
  ended: number;
  moves: number;
  stones: Stone[];
  path: string[];
}

/** The games that one has played, the latest first. */
export interface MyGames {
  running: RunningGame[];
  games: MyGame[];
  total: number;
  kinds: string[];
  next: [number, string, number] | null;
}

/** The request is refused; nothing happened. */
export interface Nack {
  type: "nack";
  id: number | null;
  code: string;
  words: Words;
  detail: string;
  seq: number;
  retry_after_ms: number;
}

/** An opening that has a name. */
export interface NamedOpening {
  name: Words;
  code: string;
  ply: number;
}

/** A report about someone in a room, to the operator of the server. */
export interface NewReport {
  room: string;
  person: string;
  why: "abuse" | "cheating" | "name" | "other" | "spam";
  text?: string;
}

/** A request for a new room. */
export interface NewRoom {
  game: string;
  options?: Record<string, boolean | number | string>;
  clock?: ClockRule | null;
  rated?: boolean;
  public?: boolean;
  password?: string;
  ai_on_disconnect?: boolean;
  ai_on_flag?: boolean;
  ai_level?: number;
  agent?: string;
}

/** A nickname. */
export interface NewSession {
  name: string;
}

/** A way to write moves, and what a move of the start looks like in it. The game's own has no name. */
export interface NotationInfo {
  name: string;
  title: Words;
  sample: string;
}

/** Offer a draw. */
export interface OfferDraw {
  type: "offer_draw";
  id: number;
  seen: number;
}

/** Ask to take back one's last move; done at once where only the AI would have to agree. */
export interface OfferTakeback {
  type: "offer_takeback";
  id: number;
  seen: number;
}

/** How a game began. */
export interface Opening {
  name?: Words | null;
  left_book?: number | null;
}

/** A network or an evaluator that can be played against. */
export interface OpponentInfo {
  name: string;
  title: Words;
}

/** How a player came out against another, or against a level. */
export interface OpponentScore {
  name: string;
  won: number;
  drawn: number;
  lost: number;
}

/** A rule that can be played in more than one way. */
export interface Option {
  name: string;
  default: boolean | number | string;
  help: Words;
  choices: string[];
  lowest: number;
  highest: number;
  is_limit: boolean;
  title?: Words | null;
  titles: Words[];
  meanings: Words[];
}

/** One character as a filled path, in units of the font size, y growing down from the base line. */
export interface Outline {
  path: string;
  advance: number;
  box: [number, number, number, number];
}

/** Something you said in a room. */
export interface OwnChat {
  room: string;
  at: number;
  text: string;
}

/** What the server keeps of you, but for hashes of your password and tokens, and who came and went in rooms. */
export interface OwnData {
  person: string;
  name: string;
  account: boolean;
  created: number;
  sessions: SessionInfo[];
  games: OwnRecord[];
  uploads: OwnRecord[];
  chat: OwnChat[];
  reports: OwnReport[];
  puzzles: Record<string, PuzzleRating>;
}

/** What was played in the games of a file, for a client to look up: nothing is kept. */
export interface OwnGames {
  games: number;
  wrong: number;
  positions: Record<string, Record<string, [number, number, number, number]>>;
}

/** A game that you played or uploaded. */
export interface OwnRecord {
  room: string;
  number: number;
  game: string;
  rated: boolean;
  names: string[];
  places: number[];
  date: string;
  record: string;
}

/** A report that you made. */
export interface OwnReport {
  room: string;
  created: number;
  name: string;
  why: string;
  text: string;
}

/** A room in which you have a seat. */
export interface OwnRoom {
  room: RoomSummary;
  seat: number;
}

/** Another password for one's account. All other sessions are ended. */
export interface PasswordChange {
  old: string;
  new: string;
}

/** The server stops; the clocks go on from here when it is back. */
export interface Paused {
  kind: "paused";
}

/** How people came out against a level, in one game under the same rules. */
export interface PeopleScore {
  game: string;
  title: Words;
  players: number;
  rules: string;
  level: number;
  games: number;
  people: number;
  ahead: number;
  equal: number;
  behind: number;
  score: number;
  low: number;
  high: number;
}

/** A person in the room. */
export interface PersonState {
  person: string;
  name: string;
  account: boolean;
  agent: string;
  ready: boolean;
  away_until: number | null;
}

/** A picture in the rules: what stands on the board, the way of a move, and points that are pointed out. */
export interface PictureInfo {
  options: Record<string, boolean | number | string>;
  stones: Stone[];
  path: string[];
  marks: string[];
}

/** Say `pong` with the same number, at once. */
export interface Ping {
  type: "ping";
  number: number;
  now: number | null;
}

/** A move of the game as it was seen. */
export interface PlayedMove {
  seat: number | null;
  text: string;
  path: string[];
  changes: Change[];
  drawn: Words[];
  tokens: Token[] | null;
  checked: number | null;
}

/** Who holds a seat when a game begins. */
export interface Player {
  name: string;
  person: string | null;
  level: number | null;
  seconds?: number | null;
  opponent?: string;
}

/** A move of the game. */
export interface PlyState {
  seat: number | null;
  text: string;
  level: number | null;
  forced: boolean;
  fallback: boolean;
  spent_ms: number;
}

/** A place where a stone can stand. */
export interface Point {
  name: string;
  x: number;
  y: number;
}

/** The answer to `ping`, at once: how the server measures the lag. */
export interface Pong {
  type: "pong";
  number: number;
}

/** What anyone may know of the owner of an account, by the latest 1,000 games that were not private. */
export interface Profile {
  name: string;
  since: number;
  games: ProfileGame[];
  opponents: OpponentScore[];
  openings: FavouriteOpening[];
  puzzles: Record<string, PuzzleRating>;
}

/** How a player does at a game. */
export interface ProfileGame {
  game: string;
  won: number;
  drawn: number;
  lost: number;
  rating: RatingRow | null;
  rank: number | null;
  curve: RatingPoint[];
}

/** Was a move right, and how does it go on? */
export interface PuzzleAnswer {
  verdict: "as_good" | "right" | "wrong";
  solved: boolean;
  plies: PlayedMove[];
  stones: Stone[];
  standing: Standing;
  moves: LegalMove[];
  own: PuzzleRating | null;
  change: number;
}

/** An answer: the next move. */
export interface PuzzleAttempt {
  made?: string[];
  rated?: boolean;
  move: string;
}

/** A game that has puzzles. */
export interface PuzzleGame {
  game: string;
  title: Words;
  puzzles: number;
  day: string;
  themes: PuzzleTheme[];
  own: PuzzleRating | null;
}

/** Where the right move begins. A puzzle with a hint counts as not solved. */
export interface PuzzleHint {
  point: string;
  own: PuzzleRating | null;
  change: number;
}

/** How far a puzzle has been solved. */
export interface PuzzleProgress {
  made?: string[];
  rated?: boolean;
}

/** How a person does at the puzzles of a game; only the first attempt at a puzzle counts. */
export interface PuzzleRating {
  rating: number;
  tried: number;
  solved: number;
}

/** The whole line. A puzzle whose solution was shown counts as not solved. */
export interface PuzzleSolution {
  plies: PlayedMove[];
  own: PuzzleRating | null;
  change: number;
}

/** What puzzles of a game may be about. */
export interface PuzzleTheme {
  name: string;
  title: Words;
  puzzles: number;
}

/** A rating and its 95 % interval. */
export interface RatingMark {
  name: string;
  elo: number;
  low: number;
  high: number;
}

/** A rating as it was. */
export interface RatingPoint {
  at: number;
  elo: number;
}

/** A player's rating at a game, by their rated games. */
export interface RatingRow {
  name: string;
  elo: number;
  error: number;
  games: number;
}

/** A game that was read from a file, replayed and found right. */
export interface ReadRecord {
  game: string;
  options: Record<string, boolean | number | string>;
  start: string;
  players: string[];
  result: number[] | null;
  reason: string;
  moves: string[];
  final: string;
  kept: string;
}

/** A person is ready to begin, or no longer. */
export interface Readied {
  kind: "readied";
  person: string;
  ready: boolean;
}

/** Be ready to begin, or not. */
export interface Ready {
  type: "ready";
  id: number;
  seen: number;
  ready?: boolean;
}

/** Offer a rematch; it begins when all have offered it, everyone one seat further. */
export interface Rematch {
  type: "rematch";
  id: number;
  seen: number;
}

/** A player offers a rematch. */
export interface RematchOffered {
  kind: "rematch_offered";
  seat: number;
}

/** Resign. */
export interface Resign {
  type: "resign";
  id: number;
  seen: number;
}

/** A player resigned, or lost on time or by leaving. */
export interface ResignedView {
  kind: "resigned";
  seat: number;
  why: string;
  text: string;
  standing: Standing;
}

/** How a game ended. */
export interface Result {
  places: number[];
  reason: string;
  words: Words;
  rated: boolean;
}

/** All that is shown of a result. */
export interface ResultInfo {
  path: string;
  kind: "lab" | "ratings" | "run" | "tournament";
  title: Words;
  date: string;
  facts: ([string, string])[];
  text: string;
  picture: string;
  ratings: RatingMark[];
  curves: Curve[];
  tables: ResultTable[];
}

/** A result as it is listed. */
export interface ResultSummary {
  path: string;
  kind: "lab" | "ratings" | "run" | "tournament";
  title: Words;
  date: string;
}

/** A table; `numeric` says which columns are numbers. */
export interface ResultTable {
  title: Words;
  head: Words[];
  rows: string[][];
  numeric: boolean[];
}

/** Take one's seat back from the AI. */
export interface Resume {
  type: "resume";
  id: number;
  seen: number;
}

/** What chance may bring at the end of a line. */
export interface Reveal {
  told: Words;
  glyph: string;
  odds: number;
}

/** A written move of the game. */
export interface ReviewedMove {
  number: number;
  player: number | null;
  text: string;
  judgement: "best" | "blunder" | "forced" | "good" | "inaccuracy" | "mistake";
  look?: Look | null;
  refutation: string[];
  chance?: Words | null;
  stage?: Words | null;
}

/** How one player did. */
export interface ReviewedPlayer {
  accuracy: number | null;
  counts: Record<"best" | "blunder" | "forced" | "good" | "inaccuracy" | "mistake", number>;
  luck?: number | null;
}

/** All that you may know of the room; events go on from `state.seq`. */
export interface Room {
  type: "room";
  state: RoomState;
}

/** All that a viewer may know of a room. */
export interface RoomState {
  room: string;
  seq: number;
  at: number;
  settings: Settings | null;
  date: string;
  phase: "closed" | "finished" | "playing" | "waiting";
  host: string | null;
  persons: PersonState[];
  seats: SeatState[];
  game: GameState | null;
  chat: Line[];
  muted: string[];
}

/** A room as the lobby lists it. */
export interface RoomSummary {
  room: string;
  game: string;
  phase: string;
  players: number;
  taken: number;
  names: string[];
  rated: boolean;
  locked: boolean;
  clock: ClockRule | null;
  moves: number;
  turn: number | null;
}

/** A game that one is playing. */
export interface RunningGame {
  room: string;
  game: string;
  seat: number;
  names: string[];
  moves: number;
  rated: boolean;
  options: Record<string, boolean | number | string> | null;
  stones: Stone[] | null;
  my_turn: boolean | null;
}

/** Chat. */
export interface Said {
  kind: "said";
  person: string;
  text: string;
}

/** A person took a seat. */
export interface Sat {
  kind: "sat";
  person: string;
  seat: number;
}

/** A player's name, the colour of their stones, and how far the board turns for them. */
export interface SeatInfo {
  name: Words;
  colour: string;
  rotation: number;
}

/** A seat. The AI plays it exactly when there is a level. */
export interface SeatState {
  person: string | null;
  level: number | null;
  epoch: number;
  seconds: number | null;
  opponent: string;
}

/** A wish to play with whoever wants the same. It holds while the request is waited for. */
export interface SeekOpponent {
  game: string;
  clock?: ClockRule | null;
  rated?: boolean;
  seconds?: number;
}

/** A new session. The token is told once; the server keeps a hash of it. */
export interface Session {
  person: string;
  name: string;
  account: boolean;
  token: string;
}

/** A session of yours. */
export interface SessionInfo {
  id: string;
  created: number;
  used: number;
  device: string;
  current: boolean;
}

/** The host: put the AI into an empty seat, or take it out (no level). */
export interface SetAi {
  type: "set_ai";
  id: number;
  seen: number;
  seat: number;
  level: number | null;
  seconds?: 1 | 3 | 10 | null;
  opponent?: string;
}

/** The settings of a room, fixed when it is created. */
export interface Settings {
  game: string;
  options: Record<string, boolean | number | string>;
  players: number;
  clock: ClockRule | null;
  rated: boolean;
  public: boolean;
  locked: boolean;
  ai_on_disconnect: boolean;
  ai_on_flag: boolean;
  ai_level: number;
}

/** A position: as its text tells, and so without any secret. */
export interface ShownPosition {
  options: Record<string, boolean | number | string>;
  start: string;
  start_stones: Stone[];
  plies: PlayedMove[];
  stones: Stone[];
  standing: Standing;
  moves: LegalMove[];
  chance: ChanceResult[];
  places: number[] | null;
  reason: Words | null;
  fields: FieldInfo[] | null;
}

/** A puzzle as it is asked: all but the solution. */
export interface ShownPuzzle {
  id: string;
  game: string;
  options: Record<string, boolean | number | string>;
  start: string;
  start_stones: Stone[];
  lead: PlayedMove[];
  stones: Stone[];
  standing: Standing;
  moves: LegalMove[];
  solver: number;
  asked: number;
  rating: number;
  themes: string[];
}

/** A review: how far it has come, and what it says when it is finished. */
export interface ShownReview {
  id: string;
  done: number;
  total: number;
  game: string;
  options: Record<string, boolean | number | string>;
  start: string;
  texts: string[];
  names: string[];
  result: number[] | null;
  effort: string;
  moves: ReviewedMove[];
  players: ReviewedPlayer[];
  curves: ((number | null)[])[];
  turning_points: TurningPoint[];
  opening: Opening | null;
}

/** Take an empty seat. */
export interface Sit {
  type: "sit";
  id: number;
  seen: number;
  seat: number;
}

/** A game that somebody looks for an opponent for. */
export interface SoughtGame {
  game: string;
  clock: ClockRule | null;
  rated: boolean;
  waiting: number;
}

/** The server stood still while a clock ran; that time was charged to nobody. */
export interface Stalled {
  kind: "stalled";
  ms: number;
}

/** Give up the seat. */
export interface Stand {
  type: "stand";
  id: number;
  seen: number;
}

/** How a game stands, as the viewer knows it. */
export interface Standing {
  turn: number | null;
  position: string;
  task: Words | null;
  checked: boolean;
  pools: Covered[] | null;
  tokens: Token[] | null;
}

/** The host: begin, when every seat is taken and everyone in them is ready. */
export interface Start {
  type: "start";
  id: number;
  seen: number;
}

/** A game began. */
export interface StartedView {
  kind: "started";
  number: number;
  players: Player[];
  date: string;
  rated: boolean;
  commitment: string;
  start: string;
  stones: Stone[];
  standing: Standing;
  clocks_ms: number[] | null;
}

/** Something said, and perhaps something to do: one of `tasks` among all legal `moves`, or touch one of `touch`. */
export interface StepInfo {
  words: Words;
  done: Words | null;
  stones: Stone[];
  moves: LegalMove[];
  tasks: TaskInfo[];
  touch: string[];
  marks: string[];
}

/** A stone on a point. */
export interface Stone {
  point: string;
  glyph: string;
}

/** A person gave up a seat. */
export interface Stood {
  kind: "stood";
  person: string;
  seat: number;
}

/** Analyse nothing until the next `analyse`. */
export interface StopAnalysis {
  type: "stop";
}

/** A player declines a take-back. */
export interface TakebackDeclined {
  kind: "takeback_declined";
  seat: number;
}

/** A player asks to take moves back, or (a second seat) agrees to it. */
export interface TakebackOffered {
  kind: "takeback_offered";
  seat: number;
}

/** Moves were taken back. */
export interface TakenBackView {
  kind: "taken_back";
  seat: number;
  moves: number;
  stones: Stone[];
  standing: Standing;
}

/** A move that is asked for, and what then happens: itself, and what others answer. */
export interface TaskInfo {
  text: string;
  played: PlayedMove[];
}

/** One thing beside the board. */
export interface Token {
  label: Words;
  value: string;
  seat?: number | null;
  kind: "captured" | "die" | "tally" | "text";
}

/** A game that had secrets, with everything that was hidden. */
export interface Truth {
  start: string;
  moves: string[];
  position: string;
  stones: Stone[];
  tokens: Token[] | null;
}

/** It is your turn: all that you may do. */
export interface Turn {
  type: "turn";
  seq: number;
  seat: number;
  moves: LegalMove[];
}

/** One of the moves that decided the game. */
export interface TurningPoint {
  number: number;
  swing: number;
  by_chance: boolean;
}

/** What is known of the position now. It comes when a depth is finished, and every two seconds or oftener. */
export interface Update {
  type: "update";
  id: number;
  analysis: LiveAnalysis;
}

/** The answer to `hello`; then comes `room`, or the events that were missed. */
export interface Welcome {
  type: "welcome";
  room: string;
  person: string | null;
  seat: number | null;
  seq: number;
  now: number;
  protocol: number;
}

/** Whose token it is. */
export interface Who {
  person: string;
  name: string;
  account: boolean;
}

/** The same thing said in English and in Chinese. */
export interface Words {
  en: string;
  zh: string;
}

/** A legal move: as the game writes it, and in the notation that was asked for. */
export interface WrittenMove {
  text: string;
  written: string;
}

/** A part of the board with a colour of its own. */
export interface ZoneInfo {
  corners: ([number, number])[];
  seat: number | null;
}

export type FromClient =
  | Hello
  | Join
  | Leave
  | Sit
  | Stand
  | Ready
  | SetAi
  | Kick
  | Mute
  | Start
  | Move
  | OfferDraw
  | AnswerDraw
  | OfferTakeback
  | AnswerTakeback
  | Resign
  | HandOver
  | Resume
  | Claim
  | Rematch
  | Chat
  | Close
  | Check
  | AskHistory
  | Hint
  | Pong;

export type FromServer =
  | Welcome
  | Room
  | EventMessage
  | Turn
  | Ack
  | Nack
  | Display
  | History
  | HintGiven
  | Ping
  | Goodbye;

export type ToAnalysis =
  | Greeting
  | Analyse
  | StopAnalysis;

export type FromAnalysis =
  | Update
  | Exhausted
  | Nack
  | Goodbye;

export const PROTOCOL = 1;
