/** A mail as its reader sees it. */
export interface ReadMail {
  subject: string;
  text: string;
  html: string;
  attachments: { name: string; type: string; content: Buffer }[];
  /** Every link of both parts. */
  links: string[];
}

/** Decodes the source of a mail (MIME, RFC 2045 to 2047), as far as ours need it. */
export function readMail(source: string): ReadMail {
  const mail: ReadMail = { subject: '', text: '', html: '', attachments: [], links: [] };
  const { headers } = split(source);
  mail.subject = decodeWords(headers.get('subject') ?? '');
  readPart(source, mail);
  const links = `${mail.text} ${mail.html}`.match(/\bhttps?:\/\/[^\s"'<>]+/g) ?? [];
  mail.links = [...new Set(links.map((link) => link.replaceAll('&amp;', '&')))];
  return mail;
}

function readPart(source: string, mail: ReadMail): void {
  const { headers, body } = split(source);
  const type = headers.get('content-type') ?? 'text/plain';
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1];
  if (boundary !== undefined) {
    for (const part of body.split(`--${boundary}`).slice(1, -1)) readPart(part.replace(/^\r?\n/, ''), mail);
    return;
  }
  const content = decode(body, headers.get('content-transfer-encoding') ?? '7bit');
  const name = /filename="?([^";]+)"?/.exec(headers.get('content-disposition') ?? '')?.[1];
  if (name !== undefined) mail.attachments.push({ name, type: type.split(';')[0] ?? '', content });
  else if (type.startsWith('text/html')) mail.html = content.toString();
  else mail.text = content.toString();
}

function split(source: string): { headers: Map<string, string>; body: string } {
  const end = /\r?\n\r?\n/.exec(source);
  const head = source.slice(0, end?.index).replace(/\r?\n[ \t]+/g, ' ');
  const lines = head.split(/\r?\n/).map((line) => /^([^:]+):\s*(.*)$/.exec(line));
  return {
    headers: new Map(lines.map((line) => [line?.[1]?.toLowerCase() ?? '', line?.[2] ?? ''])),
    body: end ? source.slice(end.index + end[0].length) : '',
  };
}

function decode(body: string, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  return encoding === 'quoted-printable' ? decodeQuoted(body.replace(/=\r?\n/g, '')) : Buffer.from(body);
}

function decodeQuoted(text: string): Buffer {
  const bytes = text.replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}

function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      (kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64') : decodeQuoted(word.replaceAll('_', ' '))).toString(),
    );
}
