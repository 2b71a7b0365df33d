import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Which rules of axe are checked. */
export interface AxeRules {
  /** Only these rules, by id. Default: all. */
  only?: readonly string[];
  /** All but these rules, by id. */
  except?: readonly string[];
}

/** What axe finds on the current page and in its frames: one line for each violated rule. */
export async function findViolations(page: Page, { only = [], except = [] }: AxeRules = {}): Promise<string[]> {
  // Frames are examined apart and combined in a new tab, which takes twice as long.
  const axe = new AxeBuilder({ page }).setLegacyMode(page.frames().length === 1);
  if (only.length > 0) axe.withRules([...only]);
  if (except.length > 0) axe.disableRules([...except]);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
