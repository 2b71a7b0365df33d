import type { Language } from '../../contract/index.js';
import { html, type Html } from '../pages/html.js';

/** The content of a mail, from which its text and its HTML are made. */
export interface MailContent {
  language: Language;
  title: string;
  paragraphs: readonly string[];
  rows?: readonly { label: string; value: string }[];
  /** A code that the user types. */
  code?: string;
  link?: { href: string; label: string };
  /** Below the rows, the code and the link. */
  after?: readonly string[];
  footer: readonly string[];
}

/** Writes the plain text. Its lines are not broken: clients do that for their windows. */
export function writeText({ title, paragraphs, rows = [], code, link, after = [], footer }: MailContent): string {
  const parts = [
    title,
    ...paragraphs,
    ...(rows.length > 0 ? [rows.map(({ label, value }) => `${label}: ${value}`).join('\n')] : []),
    ...(code === undefined ? [] : [code]),
    ...(link === undefined ? [] : [`${link.label}:\n${link.href}`]),
    ...after,
    // The standard separator of a signature, which clients fold.
    ['-- ', ...footer].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

const font = "font-family: -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/*
 * Clients of mail differ more than browsers: tables are the only layout that all of them show, many
 * remove style sheets, and some turn light colors into dark ones by themselves. So every color is
 * beside its text with enough contrast, and the style sheet only adds the dark colors for the clients
 * that read it. Nothing is loaded: no image, font or pixel that would report the reading.
 */
const style = `
  @media (prefers-color-scheme: dark) {
    .ground { background-color: #16191d !important; }
    .sheet { background-color: #20252b !important; border-color: #3a424b !important; }
    .ink, .ink td, .ink th { color: #f1f3f5 !important; }
    .quiet, .quiet a { color: #b6bec7 !important; }
    .box { background-color: #2a3138 !important; }
    .button { background-color: #8fd3de !important; }
    .button a { color: #08272c !important; }
  }`;

/** Writes the HTML. */
export async function writeHtml(content: MailContent): Promise<string> {
  return String(await page(content));
}

function page({ language, title, paragraphs, rows = [], code, link, after = [], footer }: MailContent): Html {
  return html`<!doctype html>
    <html lang="${language}" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${title}</title>
        <style>
          ${style}
        </style>
      </head>
      <body class="ground" style="margin: 0; padding: 0; background-color: #f1f3f5">
        <table
          role="presentation"
          class="ground"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          border="0"
          style="background-color: #f1f3f5"
        >
          <tr>
            <td align="center" style="padding: 24px 12px">
              <table
                role="presentation"
                class="sheet ink"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                border="0"
                style="max-width: 560px; background-color: #ffffff; border: 1px solid #d5dae0; border-radius: 8px"
              >
                <tr>
                  <td
                    align="left"
                    style="padding: 28px 28px 8px; ${font}; font-size: 16px; line-height: 24px; color: #1b2026"
                  >
                    <h1 style="margin: 0 0 16px; font-size: 22px; line-height: 28px">${title}</h1>
                    ${paragraphs.map(paragraph)} ${rows.length > 0 && rowTable(rows)}
                    ${code !== undefined && codeBox(code)} ${link && button(link)} ${after.map(paragraph)}
                  </td>
                </tr>
              </table>
              <table
                role="presentation"
                class="quiet"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                border="0"
                style="max-width: 560px"
              >
                <tr>
                  <td
                    class="quiet"
                    align="left"
                    style="padding: 16px 28px; ${font}; font-size: 13px; line-height: 20px; color: #525c66"
                  >
                    ${footer.map((line) => html`<p style="margin: 0 0 8px">${line}</p>`)}
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>`;
}

function paragraph(text: string): Html {
  return html`<p style="margin: 0 0 16px">${text}</p>`;
}

function rowTable(rows: NonNullable<MailContent['rows']>): Html {
  return html`<table
    class="box ink"
    width="100%"
    cellpadding="0"
    cellspacing="0"
    border="0"
    style="margin: 0 0 16px; background-color: #f1f3f5; border-radius: 6px"
  >
    ${rows.map(
      ({ label, value }) =>
        html`<tr>
          <th
            scope="row"
            align="left"
            valign="top"
            style="padding: 8px 16px; ${font}; font-size: 15px; line-height: 22px; color: #1b2026"
          >
            ${label}
          </th>
          <td
            align="left"
            valign="top"
            style="padding: 8px 16px; ${font}; font-size: 15px; line-height: 22px; color: #1b2026"
          >
            ${value}
          </td>
        </tr>`,
    )}
  </table>`;
}

/** In one piece, so that it can be copied and screen readers and phones recognize it. */
function codeBox(code: string): Html {
  return html`<p
    class="box ink"
    style="margin: 0 0 16px; padding: 16px; background-color: #f1f3f5; border-radius: 6px; text-align: center; font-family: Menlo, Consolas, monospace; font-size: 30px; line-height: 36px; letter-spacing: 6px; color: #1b2026"
  >
    ${code}
  </p>`;
}

/** The address is also readable, for clients that show no links, and for users who want to check it. */
function button({ href, label }: NonNullable<MailContent['link']>): Html {
  const text = `${font}; font-size: 16px; line-height: 24px; font-weight: 600`;
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin: 0 0 12px">
      <tr>
        <td
          class="button"
          align="center"
          style="background-color: #0c5460; border-radius: 6px; padding: 12px 20px; ${text}"
        >
          <a href="${href}" style="${text}; color: #ffffff; text-decoration: none">${label}</a>
        </td>
      </tr>
    </table>
    <p
      class="quiet"
      style="margin: 0 0 16px; font-size: 13px; line-height: 20px; color: #525c66; word-break: break-all"
    >
      <a class="quiet" href="${href}" style="color: #525c66">${href}</a>
    </p>`;
}
