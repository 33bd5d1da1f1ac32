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
    "terminal": Words("terminal", "终端"),
}
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
