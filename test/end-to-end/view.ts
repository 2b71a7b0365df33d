/**
 * A page or a part of it, found like a user does: the part of Playwright's API that every driver
 * supports.
 */
export interface View {
  getByLabel(text: string, options?: { exact?: boolean }): Control;
  getByRole(role: Role, options?: { name?: string | RegExp; exact?: boolean; level?: number }): Control;
  getByText(text: string | RegExp): Control;
  locator(css: string): Control;
}

/** A part of a page. Its methods wait until it exists, up to a timeout. */
export interface Control extends View {
  first(): Control;
  filter(options: { hasText: string }): Control;
  all(): Promise<Control[]>;
  count(): Promise<number>;
  or(other: Control): Control;
  click(): Promise<void>;
  /** Absent when the driver clicks on the painted page. */
  hover?(): Promise<void>;
  fill(text: string): Promise<void>;
  check(): Promise<void>;
  selectOption(value: string): Promise<unknown>;
  /** Chooses this file. */
  setInputFiles(file: ChosenFile): Promise<void>;
  innerText(): Promise<string>;
  waitFor(options?: { state?: 'visible' | 'detached' }): Promise<void>;
}

/** A file with its content, because Firefox accepts no path in a frame of another site. */
export interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** The roles in the tests. */
export type Role = 'button' | 'checkbox' | 'heading' | 'link' | 'listitem' | 'textbox';
