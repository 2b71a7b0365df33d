import { open } from 'node:fs/promises';
import { generateProducer } from './synthetic/generate-producer.js';

/** How many records are written at once. */
const batchSize = 500;

/**
 * Writes synthetic producers to a file as an import reads them, each with its SSN, which is nobody's. The file must not be there yet.
 */
export async function writeRecords(
  path: string,
  { count, seed }: { count: number; seed: number },
  onProgress: (written: number) => void = () => undefined,
): Promise<void> {
  const file = await open(path, 'wx');
  try {
    for (let start = 0; start < count; start += batchSize) {
      const end = Math.min(count, start + batchSize);
      const lines = Array.from({ length: end - start }, (_, offset) => syntheticLine(seed, start + offset));
      // Unlike `write`, it goes on when the system takes a part of it.
      await file.appendFile(lines.join(''));
      onProgress(end);
    }
  } finally {
    await file.close();
  }
}

function syntheticLine(seed: number, index: number): string {
  return `${JSON.stringify(generateProducer(seed, index))}\n`;
}
