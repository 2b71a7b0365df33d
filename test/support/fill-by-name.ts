/** The part of a page for filling in: Playwright's, or another driver's. */
interface Fillable {
  locator(css: string): {
    count(): Promise<number>;
    fill(text: string): Promise<unknown>;
    check(): Promise<unknown>;
    selectOption(value: string): Promise<unknown>;
  };
}

/** Fills in fields of any kind by name. Skips fields that the page does not show. */
export async function fillByName(view: Fillable, fields: Record<string, string | string[]>): Promise<void> {
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values].flat()) {
      const chosen = view.locator(`input[name="${name}"][value="${value}"]:is([type=radio], [type=checkbox])`);
      const list = view.locator(`select[name="${name}"]`);
      const text = view.locator(`:is(input:not([type=radio], [type=checkbox]), textarea)[name="${name}"]`);
      // Again when a frame that grew moved the box away from the click.
      if ((await chosen.count()) > 0) await chosen.check().catch(() => chosen.check());
      else if ((await list.count()) > 0) await list.selectOption(value);
      else if ((await text.count()) > 0) await text.fill(value);
    }
  }
}
