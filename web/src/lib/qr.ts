// QR codes (ISO/IEC 18004) for links: bytes, medium correction, versions 1 to 10, which is up to 213 bytes.
// 1. the bytes with mode, length and padding; 2. Reed–Solomon codes per block, interleaved; 3. the fixed patterns;
// 4. the bits in their zigzag; 5. the mask that spoils the picture least.

/** Per version, from 1: all codewords, correction codewords per block, blocks. */
const SIZES = [[26, 10, 1], [44, 16, 1], [70, 26, 1], [100, 18, 2], [134, 24, 2], [172, 16, 4], [196, 18, 4], [242, 22, 4], [292, 22, 5], [346, 26, 5]] as const;

/** The dark modules of the code for a text, row by row; null if it is too long. */
export function qr(text: string): boolean[][] | null {
  const bytes = [...new TextEncoder().encode(text)];
  const version = SIZES.findIndex(([all, correction, blocks], index) => bytes.length + (index + 1 < 10 ? 2 : 3) <= all - correction * blocks) + 1;
  if (version === 0) return null;
  const codewords = interleaved(padded(bytes, version), version);
  const { modules, fixed } = patterns(version);
  fill(modules, fixed, codewords);

  let best: boolean[][] = modules;
  let least = Infinity;
  for (let mask = 0; mask < 8; mask++) {
    const masked = modules.map((row, y) => row.map((dark, x) => (fixed[y]![x] ? dark : dark !== MASKS[mask]!(x, y))));
    writeFormat(masked, mask);
    const cost = penalty(masked);
    if (cost < least) [best, least] = [masked, cost];
  }
  return best;
}

function padded(bytes: number[], version: number): number[] {
  const [all, correction, blocks] = SIZES[version - 1]!;
  const capacity = all - correction * blocks;
  const bits: number[] = [];
  const push = (value: number, length: number): void => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  push(4, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, capacity * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const data: number[] = [];
  for (let index = 0; index < bits.length; index += 8) data.push(parseInt(bits.slice(index, index + 8).join(""), 2));
  for (let filler = 0xec; data.length < capacity; filler ^= 0xfd) data.push(filler);
  return data;
}

// ---------------------------------------------------------------------- correction

/** A product in the field of 256 elements. */
function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}

function remainder(data: number[], degree: number): number[] {
  const divisor = Array<number>(degree).fill(0);
  divisor[degree - 1] = 1;
  for (let power = 0, root = 1; power < degree; power++, root = times(root, 2)) {
    for (let index = 0; index < degree; index++) divisor[index] = times(divisor[index]!, root) ^ (divisor[index + 1] ?? 0);
  }
  const rest = Array<number>(degree).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest.shift()!;
    rest.push(0);
    divisor.forEach((coefficient, index) => (rest[index]! ^= times(coefficient, factor)));
  }
  return rest;
}

function interleaved(data: number[], version: number): number[] {
  const [all, correction, count] = SIZES[version - 1]!;
  const short = Math.floor(all / count) - correction;
  const shorts = count - (all % count);
  const blocks: number[][] = [];
  for (let index = 0, at = 0; index < count; index++) {
    const length = short + (index < shorts ? 0 : 1);
    blocks.push(data.slice(at, at + length));
    at += length;
  }
  const checks = blocks.map((block) => remainder(block, correction));
  const result: number[] = [];
  for (let index = 0; index <= short; index++) for (const block of blocks) if (index < block.length) result.push(block[index]!);
  for (let index = 0; index < correction; index++) for (const check of checks) result.push(check[index]!);
  return result;
}

// ---------------------------------------------------------------------- the picture

function patterns(version: number): { modules: boolean[][]; fixed: boolean[][] } {
  const size = version * 4 + 17;
  const modules = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const fixed = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const set = (x: number, y: number, dark: boolean): void => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    modules[y]![x] = dark;
    fixed[y]![x] = true;
  };
  for (let index = 0; index < size; index++) {
    set(6, index, index % 2 === 0);
    set(index, 6, index % 2 === 0);
  }
  for (const [middleX, middleY] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) {
    for (let dy = -4; dy <= 4; dy++) for (let dx = -4; dx <= 4; dx++) {
      const ring = Math.max(Math.abs(dx), Math.abs(dy));
      set(middleX + dx, middleY + dy, ring !== 2 && ring !== 4);
    }
  }
  const places = alignment(version, size);
  for (const x of places) for (const y of places) {
    const last = size - 7;
    if ((x === 6 && y === 6) || (x === 6 && y === last) || (x === last && y === 6)) continue;
    for (let dy = -2; dy <= 2; dy++) for (let dx = -2; dx <= 2; dx++) set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
  }
  // Room for the format, which is written last.
  for (let index = 0; index < 9; index++) {
    if (index !== 6) {
      set(8, index, false);
      set(index, 8, false);
    }
    if (index < 8) {
      set(size - 1 - index, 8, false);
      set(8, size - 1 - index, false);
    }
  }
  if (version >= 7) {
    let rest = version;
    for (let index = 0; index < 12; index++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
    const bits = (version << 12) | rest;
    for (let index = 0; index < 18; index++) {
      const [a, b] = [size - 11 + (index % 3), Math.floor(index / 3)];
      set(a, b, ((bits >> index) & 1) === 1);
      set(b, a, ((bits >> index) & 1) === 1);
    }
  }
  return { modules, fixed };
}

function alignment(version: number, size: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((size - 13) / (count * 2 - 2)) * 2;
  const places = [6];
  for (let place = size - 7; places.length < count; place -= step) places.splice(1, 0, place);
  return places;
}

function fill(modules: boolean[][], fixed: boolean[][], codewords: number[]): void {
  const size = modules.length;
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      for (let side = 0; side < 2; side++) {
        const x = right - side;
        const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
        if (fixed[y]![x] || bit >= codewords.length * 8) continue;
        modules[y]![x] = ((codewords[bit >> 3]! >> (7 - (bit & 7))) & 1) === 1;
        bit += 1;
      }
    }
  }
}

const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function writeFormat(modules: boolean[][], mask: number): void {
  const size = modules.length;
  let rest = mask; // medium correction is 00
  for (let index = 0; index < 10; index++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  const dark = (index: number): boolean => ((bits >> index) & 1) === 1;
  for (let index = 0; index <= 5; index++) modules[index]![8] = dark(index);
  modules[7]![8] = dark(6);
  modules[8]![8] = dark(7);
  modules[8]![7] = dark(8);
  for (let index = 9; index < 15; index++) modules[8]![14 - index] = dark(index);
  for (let index = 0; index < 8; index++) modules[8]![size - 1 - index] = dark(index);
  for (let index = 8; index < 15; index++) modules[size - 15 + index]![8] = dark(index);
  modules[size - 8]![8] = true;
}

function penalty(modules: boolean[][]): number {
  const size = modules.length;
  let cost = 0;
  let dark = 0;
  const finder = [true, false, true, true, true, false, true];
  for (let a = 0; a < size; a++) {
    for (const line of [modules[a]!, modules.map((row) => row[a]!)]) {
      for (let start = 0, b = 1; b <= size; b++) {
        if (b < size && line[b] === line[start]) continue;
        if (b - start >= 5) cost += b - start - 2;
        start = b;
      }
      for (let b = 0; b + 7 <= size; b++) {
        if (!finder.every((value, index) => line[b + index] === value)) continue;
        const before = line.slice(Math.max(0, b - 4), b).every((value) => !value);
        const after = line.slice(b + 7, b + 11).every((value) => !value);
        if (before || after) cost += 40;
      }
    }
    for (let b = 0; b < size; b++) {
      if (modules[a]![b]) dark += 1;
      if (a + 1 < size && b + 1 < size && modules[a]![b] === modules[a]![b + 1] && modules[a]![b] === modules[a + 1]![b] && modules[a]![b] === modules[a + 1]![b + 1]) cost += 3;
    }
  }
  return cost + Math.floor((Math.abs(dark * 20 - size * size * 10) / (size * size))) * 10;
}
