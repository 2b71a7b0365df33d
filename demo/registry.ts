import { askBridge } from './bridge-process.ts';
import { dataFile } from './data-file.ts';

/** How many producers the demo's registry has: Avery Sample, who is signed in to the demo, and synthetic ones. */
const producerCount = 300;

/** Gives the bridge a registry for its test mode: the sample user with an update, and synthetic producers. Once. */
export async function fillRegistry(): Promise<void> {
  const { npns } = await askBridge<{ npns: string[] }>('registry', 'list', '--limit', String(producerCount));
  if (npns.length >= producerCount) return;
  await askBridge('registry', 'import', dataFile('producer.ndjson'));
  await askBridge('registry', 'import', dataFile('producer-update.ndjson'));
  // Last, so that a start that was interrupted is noticed. The first of them has the sample user's NPN, which is taken: it stays.
  await askBridge('registry', 'generate', '--count', String(producerCount));
}
