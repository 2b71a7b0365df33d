import { z } from 'zod';

/** A bucket, and where in it the documents are. */
export interface DocumentsPlace {
  bucket: string;
  /** The start of the names of all objects: empty, or with a slash at its end. */
  prefix: string;
}

/** Where a clamd listens. */
export type ScannerPlace = { host: string; port: number } | { path: string };

/** The port on which clamd listens by default. */
const clamdPort = 3_310;

/** `s3://bucket` or `s3://bucket/prefix`. */
export const documentsUrl = z
  .string()
  // The characters that AWS calls safe: any server and any tool reads them alike.
  .regex(/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w!.*'()-]+){0,20}\/?$/, 'an address such as s3://bucket/prefix')
  .transform((text): DocumentsPlace => {
    const [bucket = '', ...folders] = text.slice('s3://'.length).split('/');
    return { bucket, prefix: folders.flatMap((name) => (name === '' ? [] : `${name}/`)).join('') };
  });

/** `clamav://host:port` or `clamav+unix:///path`. */
export const scannerUrl = z.string().transform((text, context): ScannerPlace => {
  const url = URL.parse(text);
  const isBare = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (isBare && url.protocol === 'clamav:' && url.hostname !== '' && ['', '/'].includes(url.pathname)) {
    // The brackets of an IPv6 address are those of the URL.
    return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? clamdPort : Number(url.port) };
  }
  if (isBare && url.protocol === 'clamav+unix:' && url.hostname === '' && url.pathname.length > 1) {
    return { path: decodeURIComponent(url.pathname) };
  }
  context.addIssue('an address such as clamav://host:3310 or clamav+unix:///run/clamav/clamd.ctl');
  return z.NEVER;
});
