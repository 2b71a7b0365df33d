/** Why a webhook was not delivered. */
export interface SendFailure {
  /**
   * Codes of Node, OpenSSL and undici; one that ends in `*` is a beginning. Empty where the sender
   * itself decides.
   */
  codes: readonly string[];
  /** The cause, as a sentence. */
  meaning: string;
  /** What the receiver's owner does about it, as a sentence. */
  remedy: string;
}

/**
 * Every reason, by the name that the attempt, the log, the console and the metrics have. The docs
 * have this table.
 */
export const sendFailures = {
  status: {
    codes: [],
    meaning: 'The receiver answered with a status other than 2xx.',
    remedy: 'Look for the `webhook-id` in the log of the receiver.',
  },
  redirect: {
    codes: [],
    meaning: 'The receiver answered with a redirect, which is not followed.',
    remedy: 'Change the webhook URL to its target.',
  },
  address_refused: {
    codes: ['ADDRESS_REFUSED'],
    meaning: 'The host has no public address.',
    remedy: 'Give the receiver a public address. For development, see BRIDGE_ALLOW_LOOPBACK_WEBHOOKS.',
  },
  unknown_host: {
    codes: ['ENOTFOUND', 'ENODATA', 'EAI_NONAME', 'EAI_NODATA'],
    meaning: 'The host name does not exist.',
    remedy: 'Correct the webhook URL, or the DNS record of the host.',
  },
  dns_failed: {
    codes: ['EAI_*', 'ESERVFAIL', 'EREFUSED', 'ETIMEOUT'],
    meaning: 'The DNS server did not resolve the host name.',
    remedy: 'Check the DNS server of the bridge, and those of the domain.',
  },
  refused: {
    codes: ['ECONNREFUSED'],
    meaning: 'The host refused the connection.',
    remedy: 'Start the receiver, or correct the port of the webhook URL.',
  },
  unreachable: {
    codes: ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL', 'EACCES', 'EPERM'],
    meaning: 'There is no way to the host.',
    remedy: 'Check the routes and firewalls of the bridge and of the receiver.',
  },
  connect_timeout: {
    codes: ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'],
    meaning: 'The host did not accept a connection within five seconds.',
    remedy: 'Check the firewall in front of the receiver, and its load.',
  },
  answer_timeout: {
    codes: ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
    meaning: 'The receiver did not answer within ten seconds.',
    remedy: 'Answer first and work afterwards.',
  },
  reset: {
    codes: ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET'],
    meaning: 'The connection was closed before an answer.',
    remedy: 'Read the log of the receiver, and of the proxy in front of it.',
  },
  certificate_expired: {
    codes: ['CERT_HAS_EXPIRED'],
    meaning: 'The certificate of the receiver has expired.',
    remedy: 'Renew it.',
  },
  certificate_not_yet_valid: {
    codes: ['CERT_NOT_YET_VALID'],
    meaning: 'The certificate of the receiver is not valid yet.',
    remedy: 'Check the clock of the bridge, and the certificate.',
  },
  certificate_self_signed: {
    codes: ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
    meaning: 'The certificate of the receiver, or of its authority, is self-signed.',
    remedy: 'Use one of a public authority.',
  },
  certificate_chain: {
    codes: [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'CERT_CHAIN_TOO_LONG',
      'CERT_UNTRUSTED',
    ],
    meaning: 'The authority of the certificate is unknown, or an intermediate certificate is missing.',
    remedy: 'Let the receiver send the whole chain.',
  },
  certificate_host: {
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
    meaning: 'The certificate is for another host name.',
    remedy: 'Correct the webhook URL, or add the name to the certificate.',
  },
  certificate_invalid: {
    codes: [
      'CERT_*',
      'INVALID_CA',
      'INVALID_PURPOSE',
      'PATH_LENGTH_EXCEEDED',
      'CRL_*',
      'UNABLE_TO_*',
      'ERROR_IN_CERT*',
    ],
    meaning: 'The certificate was revoked, or is invalid in another way.',
    remedy: 'Replace it. The log has the code.',
  },
  tls: {
    codes: ['EPROTO', 'ERR_SSL_*', 'ERR_TLS_*'],
    meaning: 'There was no TLS connection, such as because the port is for HTTP.',
    remedy: 'Check the port, and that the receiver supports TLS 1.2 or later. The log has the code.',
  },
  answer_too_large: {
    codes: ['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW', 'UND_ERR_RES_EXCEEDED_MAX_SIZE'],
    meaning: 'The headers of the answer were too large.',
    remedy: 'Send fewer or shorter headers.',
  },
  answer_invalid: {
    codes: ['HPE_*', 'UND_ERR_*'],
    meaning: 'The answer was not HTTP.',
    remedy: 'Check the port: one for HTTPS needs an https URL.',
  },
  network: {
    codes: [],
    meaning: 'The connection failed in another way.',
    remedy: 'The log has the code.',
  },
} as const satisfies Record<string, SendFailure>;

/** The name of a reason in {@link sendFailures}. */
export type SendFailureName = keyof typeof sendFailures;

/** Every name, in the order of the table. */
export const sendFailureNames = Object.keys(sendFailures) as SendFailureName[];

/**
 * The reason of a code, `network` for unknown ones. Exact codes come before beginnings, and earlier
 * beginnings before later ones.
 */
export function findSendFailure(code: string | undefined): SendFailureName {
  if (code === undefined) return 'network';
  const named = (matches: (known: string) => boolean) =>
    sendFailureNames.find((name) => (sendFailures[name].codes as readonly string[]).some(matches));
  return (
    named((known) => known === code) ??
    named((known) => known.endsWith('*') && code.startsWith(known.slice(0, -1))) ??
    'network'
  );
}

/** The sentence about a stored reason; the text itself where a later version wrote it. */
export function describeSendFailure(name: string): string {
  return Object.hasOwn(sendFailures, name) ? sendFailures[name as SendFailureName].meaning : name;
}
