import { html, nothing, type TemplateResult } from 'lit';
import type { LicensingApplyError } from '../errors.js';
import { formatAmount } from '../locales/formats.js';
import type { Language } from '../locales/language.js';
import { errorText, stateName } from '../locales/phrases.js';
import { changing } from './changing.js';
import { codesOf, type StateChoice } from './trigger-card.js';

/** The number of check boxes that fit into one narrow column without scrolling. */
const maxVisible = 7;

/** The attributes of the element about the choice of states. */
export interface ChooserHost {
  chooseStates: string;
  states: string;
  stateFees: Readonly<Record<string, number>> | undefined;
  estimatedFee: number | undefined;
}

/** The application of the element, as the choice depends on it. */
export interface ChosenApplication {
  /** Its states; empty until they are known. */
  states: readonly string[];
  isSubmitted: boolean;
}

/** The options of a chooser. */
export interface StateChooserOptions {
  host: ChooserHost;
  /** Returns the application of the element; undefined before there is one. */
  application(): ChosenApplication | undefined;
  /** Called after each change. */
  onChange(): void;
}

/**
 * The user's choice of states. Before there is an application it is the choice for the first one.
 * Another choice than the states of an unfinished application, and any choice of a submitted one's
 * card, is for a new application.
 */
export class StateChooser {
  readonly #host: ChooserHost;
  readonly #application: StateChooserOptions['application'];
  readonly #onChange: () => void;
  /** The states that the user ticked; undefined until the first click. */
  #ticked: ReadonlySet<string> | undefined;
  #isAsking = false;
  #error: LicensingApplyError | undefined;

  constructor({ host, application, onChange }: StateChooserOptions) {
    this.#host = host;
    this.#application = application;
    this.#onChange = onChange;
  }

  /**
   * The states of the application that opens next, if it is a new one; empty if none is chosen.
   * Undefined if the present one continues, or if there is nothing to choose.
   */
  get newStates(): readonly string[] | undefined {
    const application = this.#application();
    const chosen = this.#chosen;
    if (this.#offered.length === 0) return undefined;
    if (!application) return chosen;
    if (application.isSubmitted) return chosen.length > 0 ? chosen : undefined;
    const isSame = this.#offered.every((code) => application.states.includes(code) === chosen.includes(code));
    return isSame ? undefined : chosen;
  }

  /** Whether the new application failed to open, which the user reads below the check boxes. */
  get hasFailed(): boolean {
    return this.#error !== undefined;
  }

  /** Asks the user to choose a state first. */
  ask(): void {
    this.#isAsking = true;
    this.#onChange();
  }

  /** Shows why the new application failed to open. */
  fail(error: LicensingApplyError): void {
    this.#error = error;
    this.#onChange();
  }

  /** Removes the question and the error. */
  clearNote(): void {
    this.#isAsking = false;
    this.#error = undefined;
  }

  /** Removes the choice, which has become an application. */
  clear(): void {
    this.#ticked = undefined;
    this.clearNote();
  }

  /** Renders the choice for the card before submission; undefined if there is nothing to choose. */
  render(language: Language): StateChoice | undefined {
    if (this.#offered.length === 0 || this.#application()?.isSubmitted) return undefined;
    return {
      fields: this.#renderFields(language),
      named: this.#offered.length > maxVisible ? this.#chosen : [],
      isNew: this.newStates !== undefined,
      fee: this.#fee,
    };
  }

  /** Renders the offer to apply in the states that are left, below the statuses. */
  renderMore(language: Language, onStart: () => void): TemplateResult | undefined {
    const { texts, locale } = language;
    if (this.#offered.length === 0 || !this.#application()?.isSubmitted) return undefined;
    const fee = this.#fee;
    return html`<details part="more-states">
      <summary class="quiet button" part="quiet-button">${changing(texts.applyMore)}</summary>
      ${this.#renderFields(language)}
      ${fee === undefined ? nothing : html`<p>${changing(`${texts.fees}: ${formatAmount(fee, locale)}`)}</p>`}
      <button class="button" part="button" @click=${onStart}>${changing(texts.start)}</button>
    </details>`;
  }

  get #offered(): string[] {
    const codes = codesOf(this.#host.chooseStates);
    const application = this.#application();
    if (!application) return codes;
    // Until its states are known, a choice could repeat them by mistake.
    if (application.states.length === 0) return [];
    return application.isSubmitted ? codes.filter((code) => !application.states.includes(code)) : codes;
  }

  get #chosen(): string[] {
    const application = this.#application();
    const first = application ? application.states : codesOf(this.#host.states);
    const ticked = this.#ticked ?? new Set(first);
    return this.#offered.filter((code) => ticked.has(code));
  }

  /** The fees of the chosen states, if the page knows all of them. */
  get #fee(): number | undefined {
    const { stateFees, estimatedFee } = this.#host;
    const chosen = this.#chosen;
    const fees = chosen.map((code) => stateFees?.[code]).filter(isNumber);
    if (fees.length > 0 && fees.length === chosen.length) return fees.reduce((sum, fee) => sum + fee);
    // The page set it for its own choice.
    return this.#ticked ? undefined : estimatedFee;
  }

  #renderFields({ texts, locale }: Language): TemplateResult {
    const { compare } = new Intl.Collator(locale);
    const chosen = this.#chosen;
    const options = this.#offered
      .map((code) => ({ code, name: stateName(texts, code), fee: this.#host.stateFees?.[code] }))
      .sort((one, other) => compare(one.name, other.name));
    const isOther = this.newStates !== undefined && this.#application()?.isSubmitted === false;
    const problem = this.#error ? errorText(texts, this.#error) : this.#isAsking ? texts.chooseOne : '';
    const note = problem || (isOther ? texts.startsAnother : '');
    return html`<fieldset part="choice" aria-describedby=${note ? 'choice-note' : nothing}>
      <legend>${changing(texts.chooseStates)}</legend>
      <div class="options">
        ${options.map(
          ({ code, name, fee }) =>
            html`<label part="option">
              <input type="checkbox" .checked=${chosen.includes(code)} @change=${() => this.#toggle(code)} />
              <span>${changing(name)}</span>
              ${isNumber(fee) ? html`<span class="muted">${changing(formatAmount(fee, locale))}</span>` : nothing}
            </label>`,
        )}
      </div>
      ${note ? html`<p id="choice-note" class=${problem ? 'failure' : 'muted'}>${changing(note)}</p>` : nothing}
    </fieldset>`;
  }

  #toggle(code: string): void {
    const ticked = new Set(this.#chosen);
    if (!ticked.delete(code)) ticked.add(code);
    this.#ticked = ticked;
    this.clearNote();
    this.#onChange();
  }
}

/** The page may set any value as a fee. */
function isNumber(fee: unknown): fee is number {
  return typeof fee === 'number' && !Number.isNaN(fee);
}
