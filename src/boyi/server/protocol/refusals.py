"""Why a request is refused: codes, which stay, and words for people.

A `Refusal` is an answer, not a failure: nothing has changed.
"""

from __future__ import annotations

import math

from boyi.core.errors import BoyiError
from boyi.core.words import Words

REFUSALS: dict[str, Words] = {
    "banned": Words("you were removed from this room", "您已被请出此房间"),
    "closed": Words("the room is closed", "房间已关闭"),
    "confirm_loss": Words("autoplay loses this rated game; confirm it, or play on",
                          "计分对局托管将判负；请确认，或继续对局"),
    "different_seats": Words("in a rated game all players need an account, and the computer cannot play",
                             "计分对局要求所有玩家都已注册，不能有电脑或程序参加"),
    "elsewhere": Words("you are looking for an opponent in another window", "您正在另一个窗口匹配对手"),
    "exhausted": Words("your time for live analysis is used up for now", "您的实时分析用时暂时用完"),
    "flag": Words("your time is up", "您的时间已用完"),
    "flood": Words("too many requests; please wait a little", "请求过多，请稍候"),
    "full": Words("the room is full", "房间已满"),
    "game_over": Words("the game is over", "对局已结束"),
    "handed_over": Words("the computer is playing for you; take over again first", "托管中，请先取消托管"),
    "host": Words("this server does not answer to that name", "此服务器不使用该域名"),
    "illegal_move": Words("this is not a legal move here", "不能这样走"),
    "internal": Words("something went wrong on the server; nothing was changed", "服务器出错，未作任何更改"),
    "joined": Words("you are already in the room", "您已在房间内"),
    "late": Words("this request came after a later one of yours", "此请求晚于您后来的请求到达"),
    "login": Words("there is no such account, or its password is wrong", "没有这个账号，或密码不正确"),
    "locked_out": Words("too many wrong passwords; please wait before the next try", "密码错误次数过多，请稍后再试"),
    "muted": Words("the host has muted you in this room", "您已被房主禁言"),
    "name_taken": Words("there is an account of that name, or of one that looks like it", "此名字或相近的名字已被注册"),
    "no_account": Words("this needs an account; log in first", "需要账号，请先登录"),
    "no_person": Words("there is no account of that name", "没有这个名字的账号"),
    "no_position": Words("this is not a position of the game", "不是有效的局面"),
    "no_record": Words("this cannot be read as a game", "无法识别为棋谱"),
    "no_review": Words("there is no such review", "没有这份复盘"),
    "no_room": Words("there is no such room", "没有这个房间"),
    "no_session": Words("there is no such session; it may have ended", "没有这个登录，可能已退出"),
    "not_allowed": Words("that cannot be done in this game", "此对局不允许这样做"),
    "not_away": Words("no opponent has been away long enough", "没有对手离线足够久"),
    "not_handed_over": Words("you are playing yourself already", "您没有托管"),
    "not_host": Words("only the host may do that", "只有房主可以操作"),
    "not_joined": Words("join the room first", "请先加入房间"),
    "not_playing": Words("no game is being played", "当前没有进行中的对局"),
    "not_ready": Words("a player is not ready, or a seat is empty", "有人未准备，或有空座位"),
    "not_seated": Words("take a seat first", "请先入座"),
    "not_your_turn": Words("it is not your turn", "还没有轮到您"),
    "nothing_offered": Words("there is no such offer", "没有这样的提议"),
    "nothing_to_take_back": Words("there is no move of yours to take back", "没有可以悔的棋"),
    "offered": Words("you have already offered that", "您已经提出过"),
    "password": Words("the room needs a password, and this one is wrong", "房间需要密码，密码不正确"),
    "playing": Words("a game is being played", "对局正在进行"),
    "protocol": Words("this page is out of date; reload it", "页面版本过旧，请刷新"),
    "resync": Words("the connection fell behind; reconnect to go on", "连接滞后，请重新连接"),
    "revealed": Words("something has been revealed, drawn or rolled since; the move cannot be taken back",
                      "其间已有翻子、抽取或掷骰，不能悔棋"),
    "seat_taken": Words("this seat is taken", "座位已有人"),
    "seated": Words("you already have a seat", "您已有座位"),
    "short_password": Words("the password of a room has at least six characters", "房间密码至少六个字符"),
    "shut_out": Words("you are banned from this server", "您已被此服务器封禁"),
    "spectator": Words("spectators can only watch", "观众只能观战"),
    "stale": Words("the game has gone on since", "局面已经变化"),
    "stopping": Words("the server is being stopped; everything is saved", "服务器即将停止，一切已保存"),
    "storage": Words("it could not be saved, so it was not done", "未能保存，因此未执行"),
    "token": Words("your session has ended; reload the page", "登录已失效，请刷新页面"),
    "unknown_person": Words("there is no such person in the room", "房间里没有这个人"),
    "unknown_seat": Words("there is no such seat", "没有这个座位"),
    "unreadable": Words("the message could not be read", "无法读取此消息"),
}
"""Every code of a `nack`, in words."""


WAITS = {
    "flood": Words("too many requests; please try again in {}", "请求过多，请{}后再试"),
    "locked_out": Words("too many wrong passwords; please try again in {}", "密码错误次数过多，请{}后再试"),
}
"""The words of refusals that know when trying again makes sense."""


class Refusal(BoyiError):  # noqa: N818  (an answer, not an error)
    """What cannot be done, and why; nothing has changed.

    >>> Refusal("flood", retry_after=1.2).words.en, Refusal("flood", retry_after=100).words.zh
    ('too many requests; please try again in 2 seconds', '请求过多，请 2 分钟后再试')
    """

    def __init__(self, code: str, detail: str = "", *, retry_after: float = 0.0) -> None:
        self.code = code
        self.words = REFUSALS[code]
        self.detail = detail
        self.retry_after = retry_after
        """After how many seconds it may be done; 0 when time does not help, or nobody knows."""

        if retry_after > 0 and code in WAITS:
            english, chinese = _span(retry_after)
            self.words = Words(WAITS[code].en.format(english), WAITS[code].zh.format(chinese))
        super().__init__(f"{self.words.en}{': ' + detail if detail else ''}")


def _span(seconds: float) -> tuple[str, str]:
    """A time to wait, rounded up, in words."""
    if seconds <= 90:
        count = math.ceil(seconds)
        return f"{count} second{'s' if count > 1 else ''}", f" {count} 秒"
    count = math.ceil(seconds / 60)
    return f"{count} minutes", f" {count} 分钟"
