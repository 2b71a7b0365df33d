/**
 * One receiver of webhooks, named by the first argument; the second is the URL of a bridge.
 * `express` is Express with its parser; all others are functions of a `Request` behind
 * `toNodeListener`.
 */
import { toNodeListener } from 'licensing-apply/server/node';
import { Webhook } from '../../tools/standard-webhooks.js';
import { express } from '../../tools/web-frameworks.js';
import { createPartner, type Reading } from './partner.js';
import { signingSecret } from './signing.js';
import { serveMeasured } from './usage.js';

const [, , name = '', bridgeUrl = ''] = process.argv;
const applications = 2_000;

/** Where our handler reads the application. */
const ours: Record<string, Reading> = { handler: 'memory', 'handler-over-http': 'http' };

const verifier = new Webhook(signingSecret);
const references: Record<string, (request: Request) => Promise<Response>> = {
  async parse(request) {
    JSON.parse(await request.text());
    return new Response(null, { status: 204 });
  },
  /** As the documentation of the library shows it. */
  async signed(request) {
    verifier.verify(await request.text(), Object.fromEntries(request.headers));
    return new Response(null, { status: 204 });
  },
};

const [reading, reference] = [ours[name], references[name]];
if (reading) {
  const partner = createPartner(bridgeUrl, reading);
  const paths = await partner.begin(applications);
  serveMeasured(toNodeListener(partner.handle), { paths });
} else if (reference) {
  serveMeasured(toNodeListener(reference));
} else {
  const parse = express.json();
  serveMeasured(
    express().post('/licensing/webhooks/:token', parse, (_request, response) => {
      response.status(204).end();
    }),
  );
}
