// Loaded into the demo's process before its own code: writes down every body that its HTTP server
// receives, as it came over the wire, webhooks above all. The bridge inherits the environment but
// not this: its requests are not recorded.
import { appendFileSync } from 'node:fs';
import { IncomingMessage } from 'node:http';

const file = process.env['RECORD_RECEIVED'];
if (file && process.argv[1]?.endsWith('start.ts')) {
  const { push } = IncomingMessage.prototype;
  IncomingMessage.prototype.push = function pushAndRecord(chunk, ...rest) {
    if (chunk) appendFileSync(file, `${chunk}\n`);
    return push.call(this, chunk, ...rest);
  };
}
