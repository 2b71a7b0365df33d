import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isAllowedAddress } from '../domain/sessions/webhook-url.js';

/** Resolves a name to all its addresses. */
export type ResolveAll = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** What tests put in place of the network. */
export interface ConnectorOptions {
  /** Default: the system's resolver. */
  resolve?: ResolveAll;
  /** Opens the connection. Default: undici's own. */
  connect?: typeof buildConnector;
}

/** A webhook's address is not one that the bridge connects to. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'ADDRESS_REFUSED';
}

/**
 * A connector for undici that judges the address it connects to, not the name: a name can resolve to another address each time
 * it is asked. An IP literal never reaches `lookup`, so it is judged before.
 */
export function createCheckingConnector(
  isLoopbackAllowed: boolean,
  options: ConnectorOptions = {},
): buildConnector.connector {
  const resolve = options.resolve ?? resolveBySystem;
  const lookup: LookupFunction = (hostname, { all }, callback) => {
    resolve(hostname, (error, addresses) => {
      const allowed = addresses.filter(({ address }) => isAllowedAddress(address, isLoopbackAllowed));
      const [first] = allowed;
      if (error !== null || first === undefined) {
        callback(error ?? new AddressRefused('The name has no address that webhooks may go to.'), []);
      } else if (all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
  const connect = (options.connect ?? buildConnector)({ lookup, timeout: 10_000 });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !isAllowedAddress(host, isLoopbackAllowed)) {
      callback(new AddressRefused('Webhooks may not go to this address.'), null);
      return;
    }
    connect(target, callback);
  };
}

function resolveBySystem(hostname: string, callback: Parameters<ResolveAll>[1]): void {
  // RFC 6761: every name below `localhost` is this machine. Not every resolver knows.
  const name = /(^|\.)localhost\.?$/i.test(hostname) ? 'localhost' : hostname;
  systemLookup(name, { all: true }, (error, addresses) => {
    callback(error, error === null ? addresses : []);
  });
}
