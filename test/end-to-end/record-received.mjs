// Loaded into the demo's process before its code: records the raw bodies of all requests to its
// HTTP server, such as webhooks. The bridge is a separate process and is not recorded.
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
