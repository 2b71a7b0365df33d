import type { DirectiveResult } from 'lit/directive.js';
import { keyed } from 'lit/directives/keyed.js';

/**
 * Renders a text that changes. Each text has a separate node: page translators replace the nodes of
 * texts, and a change of the replaced one would never be seen.
 */
export function changing(text: string | undefined): DirectiveResult {
  return keyed(text, text);
}
