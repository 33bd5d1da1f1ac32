/** What a clock shows: 12:05, and tenths below ten seconds. */
export function clockText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  const minutes = Math.floor(whole / 60);
  const rest = String(whole % 60).padStart(2, "0");
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

/** The time on a room's clock, in milliseconds, as the server last told it. It stands still while the server does, and is set back to when a turn began when the player is told of it. */
export class RoomTime {
  /** The room's clock minus ours. */
  private offset = 0;

  now(): number {
    return performance.now() + this.offset;
  }

  set(now: number): void {
    this.offset = now - performance.now();
  }
}
