// The sound of a stone, synthesised: a short burst of noise through a narrow band-pass filter.
let context: AudioContext | null = null;

export function knock(hard: boolean): void {
  context ??= new AudioContext();
  const length = Math.floor(context.sampleRate * 0.06);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < length; index++) samples[index] = (Math.random() * 2 - 1) * Math.exp(-index / (length * 0.12));
  const source = context.createBufferSource();
  const filter = context.createBiquadFilter();
  const volume = context.createGain();
  source.buffer = buffer;
  filter.type = "bandpass";
  filter.frequency.value = hard ? 900 : 1500;
  filter.Q.value = 3;
  volume.gain.value = hard ? 0.9 : 0.6;
  source.connect(filter).connect(volume).connect(context.destination);
  source.start();
}
