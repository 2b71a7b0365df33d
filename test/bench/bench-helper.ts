/**
 * `npm run bench:helper`: compares the server helper with a bare reference in the same run. Ratios,
 * medians of interleaved rounds. Arguments select parts: `calls bridge webhooks streams`. Default:
 * all.
 */
import { startStage } from './bridge/stage.js';
import { bridgeOf, compareCalls, type CalledBridge } from './helper/calls.js';
import { startChild } from './helper/child.js';
import { compareSlowReaders, compareStreams } from './helper/streams.js';
import { compareWebhooks } from './helper/webhooks.js';
import { wantedParts } from './parts.js';
import { report, type Comparison } from './report.js';

/**
 * A round of calls takes a few milliseconds, and a garbage collection takes many times as long. The
 * median leaves such rounds out.
 */
const callRounds = 801;

const quickBridge = await startChild('quick-bridge');
const { url } = quickBridge.announced;
const quick: CalledBridge = {
  name: 'a bare server',
  url,
  clientId: 'client',
  clientSecret: 'secret',
  token: 'token',
  applicationId: 'app_1',
};

const parts: Record<string, () => Promise<Comparison[]>> = {
  calls: async () => [await compareCalls(quick, 1, callRounds), await compareCalls(quick, 16, callRounds)],
  bridge: async () => {
    const stage = await startStage();
    try {
      return [await compareCalls(await bridgeOf(stage), 1, callRounds)];
    } finally {
      await stage.stop();
    }
  },
  webhooks: () => compareWebhooks(url),
  streams: async () => [...(await compareStreams(3)), await compareSlowReaders(3)],
};

const wanted = wantedParts(parts);
try {
  const comparisons: Comparison[] = [];
  for (const part of wanted) comparisons.push(...(await part()));
  process.exitCode = report(comparisons) ? 0 : 1;
} finally {
  await quickBridge.stop();
}
