import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A partner's site that listens on a port: browsers do not load frames of loopback in pages of
 * other addresses.
 */
export interface PartnerSite {
  origin: string;
  /** The same pages on another site. */
  otherOrigin: string;
  stop(): Promise<void>;
}

/**
 * Serves a page that frames the URL in `?embed=` and records in `heard` all messages to it with
 * their origins.
 */
export async function startPartnerSite(): Promise<PartnerSite> {
  const server = createServer((request, response) => {
    const embed = new URL(request.url ?? '/', 'http://localhost').searchParams.get('embed');
    const frame = `<script>heard=[];onmessage=(e)=>heard.push([e.origin,e.data.t])</script>
      <iframe title="Application" src="${embed ?? ''}" width="720" height="600"></iframe>`;
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>Partner</title><h1>Partner</h1>${embed ? frame : ''}`);
  });
  await new Promise<void>((resolve) => server.listen(0, () => resolve()));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${String(port)}`,
    otherOrigin: `http://127.0.0.1:${String(port)}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
