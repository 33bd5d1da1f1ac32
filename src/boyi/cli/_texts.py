"""What the commands say, in both languages. `{name}` is filled in by `say`."""

from __future__ import annotations

from boyi.core.words import Language, Words


def say(words: Words, language: Language, /, **values: object) -> str:
    """A text in a language, with its blanks filled.

    >>> say(Words("{count} moves", "{count} 着"), "zh", count=3)
    '3 着'
    """
    return words.say(language).format(**values)


# ---------------------------------------------------------------------- perft and bench
NODES = Words("{nodes} nodes, {seconds:.3f} s, {speed:.1f} M/s", "{nodes} 个节点，{seconds:.3f} 秒，{speed:.1f} M/秒")
LEVEL_HEADERS = {"depth": Words("depth", "深度"), "sequences": Words("sequences", "着法序列"),
                 "positions": Words("positions", "不同局面"), "classes": Words("symmetry classes", "对称等价类")}
LEVELS = Words("{sequences} sequences end in {positions} positions, {seconds:.3f} s",
               "{sequences} 个着法序列到达 {positions} 个不同局面，{seconds:.3f} 秒")
BENCH_SEARCH_HEADERS = (
    Words("game", "棋种"), Words("players", "人数"), Words("search", "搜索"), Words("depth", "深度"),
    Words("positions", "局面"), Words("nodes", "节点"), Words("M nodes/s", "百万节点/秒"),
)
SEARCH_SIGNATURE = Words("signature: {number} nodes (the same every time; a change that moves it changes the play)",
                         "签名：{number} 个节点（每次相同；若有变化，棋力或着法即有改变）")
BENCH_HEADERS = (
    Words("game", "棋种"), Words("depth", "深度"), Words("leaves", "叶节点"), Words("M leaves/s", "百万叶/秒"),
    Words("random games", "随机对局"), Words("games/s", "局/秒"), Words("M moves/s", "百万着/秒"),
    Words("steps/s from Python", "Python 步/秒"),
)
SIGNATURE = Words("signature: {number} nodes (the same everywhere, as long as the rules are)",
                  "签名：{number} 个节点（规则不变，此数处处相同）")

# ---------------------------------------------------------------------- games
GAMES_HEADERS = (
    Words("game", "名称"), Words("title", "棋名"), Words("players", "人数"), Words("option", "选项"),
    Words("default", "默认"), Words("values", "取值"), Words("meaning", "含义"),
)

# ---------------------------------------------------------------------- judge
JUDGE_GAME = Words("Game", "棋种")
JUDGE_OPTIONS = Words("Options", "规则选项")
JUDGE_POSITION = Words("Position", "局面")
JUDGE_TURN = Words("To act", "轮到")
JUDGE_MOVES = Words("Legal moves", "合法着法")
JUDGE_OVER = Words("Game over", "对局结束")
JUDGE_RESULT = Words("Result", "结果")
JUDGE_PLACES = Words("Places", "名次")
JUDGE_UNPLAYED = Words("After the end", "终局后未走")
JUDGE_WHY = Words("Why", "理由")
PLAYER = Words("{name} (player {number})", "{name}（{number} 号）")
CHANCE = Words("chance", "天意")
CHECK = Words(", in check", "，被将军")
REPEATED = Words(", position seen {count} times before", "，此局面此前出现过 {count} 次")

# ---------------------------------------------------------------------- doctor
DOCTOR_HEADERS = (Words("what", "项目"), Words("state", "状况"), Words("how to get it", "如何获得"))
DOCTOR_SECTIONS = {
    "version": Words("Boyi", "博弈"),
    "python": Words("Python", "Python"),
    "platform": Words("system", "系统"),
    "cpu": Words("processor", "处理器"),
    "build": Words("build", "编译方式"),
    "modules": Words("compiled modules", "已编译模块"),
    "games": Words("games", "棋种"),
    "data": Words("test data", "测试数据"),
    "server": Words("settings of boyi serve", "boyi serve 的设置"),
    "terminal": Words("terminal", "终端"),
}
BROKEN_GAME = Words("broken game {name}", "无法载入的棋种 {name}")
EXTRA = Words("extra {name}", "扩展 {name}")
PEER = Words("peer {name}", "对照程序 {name}")
INSTALLED = Words("installed", "已安装")
MISSING = Words("missing", "缺少")
MISSING_PARTS = Words("missing: {names}", "缺少：{names}")
CORES = Words("{model}, {cores} cores", "{model}，{cores} 核")
BUILD_RELEASE = Words("release, {compiler}, for {features}", "发布版，{compiler}，使用 {features}")
BUILD_CHECKED = Words("checked (slow: bounds checks and assertions), {compiler}",
                      "检查版（较慢：含越界检查与断言），{compiler}")
PLAIN_FEATURES = Words("any processor", "任意处理器")
MODULES_FINE = Words("{count}, all of them load", "{count} 个，均可载入")
MODULES_BROKEN = Words("{broken} of {count} do not load: {names}", "{count} 个中有 {broken} 个无法载入：{names}")
REBUILD = Words("pip install --force-reinstall boyi", "pip install --force-reinstall boyi")
DATA_HINT = Words("set BOYI_DATA to the folder of shared data", "用 BOYI_DATA 指明数据目录")
DATA_MISSING = Words("not found at {path}", "未找到：{path}")
TERMINAL = Words("{encoding}, {width} columns, colours {colours}, language {language}",
                 "{encoding}，{width} 列，颜色{colours}，语言 {language}")
ON = Words("on", "开")
OFF = Words("off", "关")
OFF_BY_NO_COLOR = Words("off (NO_COLOR)", "关（NO_COLOR）")

# ---------------------------------------------------------------------- play
WELCOME = Words("{title}. {seats}", "{title}。{seats}")
OTHER_OPPONENTS = Words(" (other strengths: --level 1 to {highest}; the menu: boyi play)",
                        "（换级别：--level 1 至 {highest}；菜单：boyi play）")
TYPE_A_MOVE = Words("Type a move, or `help`.", "请输入着法，或输入“帮助”。")
SEAT = Words("{name}: {agent}", "{name}：{agent}")
BETWEEN_SEATS = Words(", ", "，")
PROMPT = Words("{name}> ", "{name}> ")
PROMPT_TASK = Words("{name}, {task}> ", "{name}，{task}> ")
PLAYS = Words("{number}. {name}: {move}", "{number}. {name}：{move}")
FORCED = Words("{number}. {name}: {move} (the only move)", "{number}. {name}：{move}（唯一着法）")
DRAWN = Words("   {what}", "   {what}")
NOT_LEGAL = Words("{error}", "此着不合规则：{line}。可走的有：{moves}")
NOT_READ = Words("{error}", "看不懂“{line}”。着法的写法如：{moves}。输入“帮助”查看命令。")
AND_MORE = Words(" and {count} more", " 等，另有 {count} 种")
HINT = Words("Legal moves ({count}): {moves}", "合法着法（{count}）：{moves}")
NOTHING_TO_UNDO = Words("There is nothing of yours to take back yet.", "还没有可悔的棋。")
TAKEN_BACK = Words("Taken back: {moves}.", "已悔：{moves}。")
RESIGNATION_BACK = Words("The resignation is taken back.", "认输已收回。")
HANDED = Words("Level {level} plays for {name} from now on. Type `resume`, or press Ctrl-C, to take the seat back.",
               "{name}已托管，由 {level} 级代走。输入“取消托管”或按 Ctrl-C 即可收回。")
RESUMED = Words("{name} is yours again.", "{name}已取消托管。")
STILL_HANDED = Words("Level {level} plays for {name}; `resume` takes the seat back, `help` tells the rest.",
                     "{name}正由 {level} 级托管；输入“取消托管”即可收回，输入“帮助”查看命令。")
NOT_HANDED = Words("No such seat has been handed over; `ai 5` hands yours to level 5.",
                   "没有托管的座位；输入“托管 5”即由 5 级代走。")
NO_LEVEL = Words("There is no level {line}; levels go from 1 to {highest}.", "没有级别 {line}；级别为 1 至 {highest}。")
NO_PLAYER = Words("There is no player {line}; the players are: {names}.", "没有棋手 {line}；棋手有：{names}。")
BETWEEN_NAMES = Words(", ", "、")
NO_LAST_MOVE = Words("Nobody has moved yet.", "还没有人走棋。")
NO_LAST_MOVE_OF = Words("{name} has not moved yet.", "{name}还没有走棋。")
LAST_MOVE = Words("{name} played {move}: {path}", "{name}走了 {move}：{path}")
LAST_POINT = Words("{name} played {move}", "{name}走了 {move}")
PROMPT_HANDED = Words("{name}, level {level} (Enter: go on)> ", "{name}，{level} 级托管（回车继续）> ")
RESIGNS = Words("{name} resigns", "{name}认输")
GAME_OVER = Words("Game over: {words}", "对局结束：{words}")
GOODBYE = Words("Goodbye.", "再见。")
AFTERWARDS = Words("Press Enter to leave (or: undo, board, flip, last, save FILE)> ",
                   "按回车离开（或输入：悔棋、棋盘、翻转、上一步、保存 文件名）> ")
NOT_AFTERWARDS = Words("The game is over; that can no longer be done.", "对局已结束，不能这样做了。")
SAVE_WHERE = Words("Say where to: save FILE", "请写明文件名：保存 文件名")
SAVED = Words("Saved to {path}.", "已保存到 {path}。")
NOT_SAVED = Words("Cannot save to {path}: {problem}", "无法保存到 {path}：{problem}")
EXISTS = Words("there is such a file already", "文件已存在")
HELP_MOVES = Words("A move in any writing of the game, for example: {moves}", "着法可用该棋的任一种写法，例如：{moves}")
HELP_NOTATIONS = Words("Notations: {names}", "记谱法：{names}")

MENU_TITLE = Words("Boyi 博弈. Which game?", "博弈。想下哪种棋？")
MENU_CHOICE = Words("A number or a name; Enter to leave> ", "输入编号或名称，回车离开> ")
MENU_UNKNOWN = Words("There is no {line} in the list.", "列表中没有 {line}。")
MENU_PLAYERS = Words("How many players, {least} to {most}? Enter for {default}> ",
                     "几人对局（{least} 至 {most}）？回车为 {default}> ")
MENU_SEATS = Words("Who plays?", "谁来下？")
MENU_SEATS_CHOICE = Words("A number; Enter for 1> ", "输入编号，回车为 1> ")
MENU_AGAINST = Words("you ({name}) against a level", "您（{name}）对电脑，按级别")
MENU_AGAINST_LAST = Words("a level against you ({name})", "电脑对您（{name}），按级别")
MENU_NETWORK = Words("you ({name}) against a network", "您（{name}）对神经网络")
MENU_NETWORK_LAST = Words("a network against you ({name})", "神经网络对您（{name}）")
MENU_TOGETHER = Words("people at this terminal", "大家同在此终端对局")
MENU_WATCH = Words("levels among themselves, you watch", "电脑互弈，您旁观")
MENU_LEVELS = Words("The levels:", "级别：")
MENU_LEVEL = Words("Which level, from 1 (weakest) to {highest}? Enter for {default}> ",
                   "哪一级？1 级最弱，{highest} 级最强，回车为 {default}> ")
MENU_NETWORKS = Words("Which network?", "哪个网络？")

# ---------------------------------------------------------------------- serve and room
SERVING = Words("Boyi is served at {address} (Ctrl-C ends it; everything is saved)",
                "博弈已在 {address} 开放（Ctrl-C 结束，一切都会保存）")
ONLY_HERE = Words("Only this machine can reach it; boyi serve --lan opens it to everyone on the network.",
                  "仅本机可以访问；boyi serve --lan 可向局域网内所有人开放。")
VERIFIED = Words("record {number}: honest; {draws} draws of {game} follow from the seed that was promised",
                 "第 {number} 局：公正；{game} 的 {draws} 次抽取均出自事先承诺的种子")
VERIFIED_NO_CHANCE = Words("record {number}: replays as it says; nothing was drawn in this game of {game}",
                           "第 {number} 局：复盘无误；此局 {game} 没有抽取")
NOT_VERIFIED = Words("record {number}: NOT as promised: {problem}", "第 {number} 局：与承诺不符：{problem}")

LEVEL = Words("level {level}", "电脑（{level}）")
ROOM_MADE = Words("The room is at {address}", "房间地址：{address}")
ROOM_HELP = Words(
    "Type a move, or: ready, start, ai LEVEL (the AI plays for you), resume, draw, accept, decline, undo, resign,\n"
    "claim, last SEAT, say TEXT, again (rematch), board, seats, moves, quit",
    "输入着法，或：ready 准备，start 开始，ai 级别（托管），resume 取消托管，draw 提和，accept 同意，decline 拒绝，\n"
    "undo 悔棋，resign 认输，claim 判胜，last 座位（看上一步），say 文字，again 再来一局，board 棋盘，seats 座位，\n"
    "moves 着法，quit 离开")
ROOM_EVENTS: dict[str, Words] = {
    "joined": Words("{name} comes in", "{name} 进来了"),
    "left": Words("{name} has left", "{name} 离开了"),
    "host_changed": Words("{name} is the host now", "{name} 成为房主"),
    "sat": Words("{name} sits down as {seat}", "{name} 坐{seat}"),
    "stood": Words("{name} stands up", "{name} 离座"),
    "ai_seated": Words("the AI of level {level} sits down as {seat}", "AI（{level}）坐{seat}"),
    "ai_removed": Words("the seat of {seat} is empty", "{seat}空出"),
    "readied": Words("{name} is ready", "{name} 已准备"),
    "handed": Words("the AI of level {level} plays for {seat} now", "{seat}由 AI（{level}）托管"),
    "forfeited": Words("{seat} loses the rated game ({words}); it goes on unrated",
                       "{seat}计分负（{words}），对局不计分继续"),
    "resumed": Words("{seat} plays again", "{seat}取消托管"),
    "draw_offered": Words("{seat} offers a draw", "{seat}提和"),
    "draw_declined": Words("{seat} declines the draw", "{seat}不同意和棋"),
    "takeback_offered": Words("{seat} asks to take a move back", "{seat}请求悔棋"),
    "takeback_declined": Words("{seat} does not agree to that", "{seat}不同意悔棋"),
    "rematch_offered": Words("{seat} would like another game", "{seat}想再来一局"),
    "away": Words("{name} is disconnected", "{name} 掉线"),
    "back": Words("{name} is back", "{name} 回来了"),
    "said": Words("{name}: {text}", "{name}：{text}"),
    "muted": Words("the host mutes {name}", "房主将 {name} 禁言"),
    "unmuted": Words("{name} can chat again", "{name} 被解除禁言"),
    "paused": Words("the server pauses the game", "服务器暂停对局"),
    "stalled": Words("the server stood still for {ms} ms; no clock ran", "服务器停顿了 {ms} 毫秒，不计入用时"),
    "closed": Words("the room is closed", "房间已关闭"),
    "started": Words("game {number} begins", "第 {number} 局开始"),
    "moved": Words("{seat}: {text}", "{seat}：{text}"),
    "fallback": Words("{seat}: {text} (the AI did not answer in time; any legal move)",
                      "{seat}：{text}（AI 未及时应答，任走一步）"),
    "taken_back": Words("{seat} takes back {moves} moves", "{seat}悔棋 {moves} 步"),
    "resigned": Words("{seat} gives up", "{seat}认输"),
    "ended": Words("The game is over: {words}", "对局结束：{words}"),
}
