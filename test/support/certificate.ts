import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** A certificate with its key, both as PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

/** The authority that signs a certificate. */
export interface Authority extends Certificate {
  name: string;
  privateKey: KeyObject;
}

/** The contents of a certificate. */
export interface CertificateOptions {
  /** Its DNS names; the first is its subject. */
  names: readonly string[];
  notBefore?: Date;
  notAfter?: Date;
  /** Default: itself. */
  issuer?: Authority;
}

const dayMs = 24 * 3_600_000;

/** Creates a certificate (X.509, ECDSA P-256), because Node only reads them. */
export function createCertificate(options: CertificateOptions): Certificate {
  const { cert, key } = issue(options, false);
  return { cert, key };
}

/** Creates the certificate of an authority. */
export function createAuthority(name: string): Authority {
  return issue({ names: [name] }, true);
}

function issue({ names, issuer, ...validity }: CertificateOptions, isAuthority: boolean): Authority {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [name = ''] = names;
  const { notBefore = new Date(Date.now() - dayMs), notAfter = new Date(Date.now() + dayMs) } = validity;
  const algorithm = sequence(objectId(1, 2, 840, 10045, 4, 3, 2));
  const extensions = [
    // basicConstraints, critical.
    sequence(
      objectId(2, 5, 29, 19),
      der(0x01, Buffer.from([0xff])),
      der(0x04, isAuthority ? sequence(der(0x01, Buffer.from([0xff]))) : sequence()),
    ),
    // subjectAltName.
    sequence(objectId(2, 5, 29, 17), der(0x04, sequence(...names.map((each) => der(0x82, Buffer.from(each)))))),
  ];
  const contents = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1 + Math.floor(Math.random() * 126)])),
    algorithm,
    distinguishedName(issuer?.name ?? name),
    sequence(time(notBefore), time(notAfter)),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', contents, issuer?.privateKey ?? privateKey);
  const encoded = sequence(contents, algorithm, der(0x03, Buffer.from([0]), signature)).toString('base64');
  const lines = encoded.match(/.{1,64}/g) ?? [];
  return {
    name,
    privateKey,
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, Math.floor(length / 0x100), length % 0x100];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function objectId(first: number, second: number, ...others: number[]): Buffer {
  const bytes = others.flatMap((value) => {
    const groups = [value % 0x80];
    for (let rest = Math.floor(value / 0x80); rest > 0; rest = Math.floor(rest / 0x80)) {
      groups.unshift(0x80 + (rest % 0x80));
    }
    return groups;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

/** A name with a common name only. */
function distinguishedName(name: string): Buffer {
  return sequence(der(0x31, sequence(objectId(2, 5, 4, 3), der(0x0c, Buffer.from(name)))));
}

function time(date: Date): Buffer {
  const [digits = ''] = date.toISOString().replace(/[-:T]/g, '').split('.');
  return der(0x18, Buffer.from(`${digits}Z`));
}
