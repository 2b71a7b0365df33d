/**
 * One receiver of webhooks, named by the first argument; the second is the address of a bridge. `node` and `express` are what the
 * name says, all others functions from `Request` to `Response` behind the same `toNodeListener`; it makes no `Request` for ours.
 */
import { toNodeListener } from 'licensing-apply/server/node';
import { Webhook } from '../../tools/standard-webhooks.js';
import { express } from '../../tools/web-frameworks.js';
import { createPartner, type Reading } from './partner.js';
import { signingSecret } from './signing.js';
import { serveMeasured } from './usage.js';

const [, , name = '', bridgeUrl = ''] = process.argv;
const applications = 5_000;

/** How the application is read again, and whether what the webhook says is compared with it. */
const ours: Record<string, [reading: Reading, isConfirmed: boolean]> = {
  unconfirmed: ['memory', false],
  confirmed: ['memory', true],
  'confirmed-over-http': ['http', true],
};

const verifier = new Webhook(signingSecret);
const references: Record<string, (request: Request) => Promise<Response>> = {
  async parse(request) {
    JSON.parse(await request.text());
    return new Response(null, { status: 202 });
  },
  /** As the documentation of the library has it. */
  async signed(request) {
    verifier.verify(await request.text(), Object.fromEntries(request.headers));
    return new Response(null, { status: 202 });
  },
};

const [own, reference] = [ours[name], references[name]];
if (own) {
  const partner = createPartner(bridgeUrl, ...own);
  const addresses = await partner.begin(applications);
  const listener = toNodeListener(partner.handle);
  serveMeasured(
    (incoming, response) => {
      partner.arrive();
      listener(incoming, response);
    },
    { idle: partner.idle, addresses },
  );
} else if (reference) {
  serveMeasured(toNodeListener(reference));
} else if (name === 'express') {
  const parse = express.json();
  serveMeasured(
    express().post('/licensing/webhooks/:token', parse, (_request, response) => {
      response.status(202).end();
    }),
  );
} else {
  serveMeasured((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString());
      response.writeHead(202).end();
    });
  });
}
