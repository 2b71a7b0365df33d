/**
 * `npm run bench:bridge`: compares the bridge with a bare reference in the same run. Ratios,
 * medians of interleaved rounds. Arguments select parts: `writes reads afternoon bulk import webhooks
 * claims retention growth`. Default: all.
 */
import { compareWithAfternoon } from './bridge/afternoon.js';
import { compareBulk } from './bridge/bulk.js';
import { compareClaims } from './bridge/claims.js';
import { compareGrowth } from './bridge/growth.js';
import { compareImport } from './bridge/import.js';
import { compareRetention } from './bridge/retention.js';
import { compareReads, compareWrites } from './bridge/sessions.js';
import { startStage, type Stage } from './bridge/stage.js';
import { compareWebhooks } from './bridge/webhooks.js';
import { wantedParts } from './parts.js';
import { report, type Comparison } from './report.js';

const rounds = 7;

const parts: Record<string, (stage: Stage) => Promise<Comparison[]>> = {
  writes: (stage) => compareWrites(stage, rounds),
  reads: async (stage) => [await compareReads(stage, rounds)],
  afternoon: (stage) => compareWithAfternoon(stage, rounds),
  bulk: async (stage) => [await compareBulk(stage, rounds)],
  import: () => compareImport(),
  webhooks: (stage) => compareWebhooks(stage, rounds),
  claims: () => compareClaims(),
  retention: () => compareRetention(),
  growth: () => compareGrowth(),
};

const wanted = wantedParts(parts);
const stage = await startStage();
try {
  const comparisons: Comparison[] = [];
  for (const part of wanted) comparisons.push(...(await part(stage)));
  process.exitCode = report(comparisons) ? 0 : 1;
} finally {
  await stage.stop();
}
