/**
 * A bridge with one token that answers every read at once, so that the benchmark measures the
 * helper.
 */
import { applicationText } from './application.js';
import { serveMeasured } from './usage.js';

serveMeasured((incoming, response) => {
  const { method, url = '' } = incoming;
  incoming.resume();
  incoming.on('end', () => {
    const id = url.slice(url.lastIndexOf('/') + 1);
    const text = method === 'GET' ? applicationText(id) : JSON.stringify({ accessToken: 'token' });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  });
});
