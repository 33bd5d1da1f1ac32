// The sounds of a game, synthesised and short: a stone on wood, a capture, a check, the end, and a clock that runs low. Browsers
// play nothing before the reader has touched the page, and neither do we.
import { preferences } from "./preferences.svelte";

export type Sound = "move" | "capture" | "check" | "won" | "lost" | "drawn" | "tick" | "premove";

let context: AudioContext | null = null;

export function play(sound: Sound): void {
  if (!preferences.sounds || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  switch (sound) {
    case "move":
      knock(context, 1500, 0.5);
      break;
    case "capture":
      knock(context, 900, 0.85);
      knock(context, 1500, 0.35, 0.05);
      break;
    case "premove":
      knock(context, 2200, 0.2);
      break;
    case "tick":
      knock(context, 3200, 0.12);
      break;
    case "check":
      knock(context, 1100, 0.8);
      tone(context, 523, 0.03, 0.22);
      tone(context, 784, 0.03, 0.3, 0.09);
      break;
    case "won":
      [523, 659, 784, 1047].forEach((pitch, index) => tone(context!, pitch, 0.05, 0.5, index * 0.11));
      break;
    case "drawn":
      [523, 523].forEach((pitch, index) => tone(context!, pitch, 0.045, 0.4, index * 0.18));
      break;
    case "lost":
      [440, 349, 262].forEach((pitch, index) => tone(context!, pitch, 0.045, 0.55, index * 0.15));
      break;
  }
}

/** A short burst of noise through a narrow band-pass filter: a stone that is put down. */
function knock(audio: AudioContext, pitch: number, loud: number, after = 0): void {
  const length = Math.floor(audio.sampleRate * 0.06);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < length; index++) samples[index] = (Math.random() * 2 - 1) * Math.exp(-index / (length * 0.12));
  const source = audio.createBufferSource();
  const filter = audio.createBiquadFilter();
  const volume = audio.createGain();
  source.buffer = buffer;
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  filter.Q.value = 3;
  volume.gain.value = loud;
  source.connect(filter).connect(volume).connect(audio.destination);
  source.start(audio.currentTime + after);
}

/** A soft bell. */
function tone(audio: AudioContext, pitch: number, loud: number, seconds: number, after = 0): void {
  const oscillator = audio.createOscillator();
  const volume = audio.createGain();
  const start = audio.currentTime + after;
  oscillator.type = "triangle";
  oscillator.frequency.value = pitch;
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(loud, start + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0005, start + seconds);
  oscillator.connect(volume).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + seconds);
}

/** A phone is felt for a moment, where it can be and the reader wants it. */
export function buzz(milliseconds: number | number[]): void {
  if (preferences.haptics && navigator.userActivation?.hasBeenActive && matchMedia("(pointer: coarse)").matches) navigator.vibrate?.(milliseconds);
}
