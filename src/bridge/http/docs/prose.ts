import { html, type Html } from './html.js';

/** A text of the document: paragraphs, lists, `code`, **bold**. All the Markdown that our descriptions use. */
export function prose(text: string | undefined): Html[] {
  const blocks = (text ?? '').trim().split(/\n{2,}/);
  return blocks.filter((block) => block !== '').map(block);
}

function block(text: string): Html {
  if (!text.startsWith('- ')) return html`<p>${words(text)}</p>`;
  const items = text.split(/\n?^- /m).filter((item) => item !== '');
  return html`<ul>
    ${items.map((item) => html`<li>${words(item)}</li>`)}
  </ul>`;
}

/** One line of such a text. */
export function words(text: string): (Html | string)[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    return part.startsWith('**') ? html`<strong>${part.slice(2, -2)}</strong>` : part;
  });
}
