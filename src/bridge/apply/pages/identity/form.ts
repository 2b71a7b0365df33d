import type { Mode } from '../../../../contract/index.js';
import type { SsnOffer } from '../../../domain/applications/identity.js';
import { collectErrors, type Parsed, type PostedForm } from '../../../pages/forms.js';
import type { Texts } from '../../texts/index.js';

/**
 * The identity form: a typed SSN, or the stored one, with its last four digits where they are
 * required.
 */
export type IdentityChoice = { use: 'typed'; ssn: string } | { use: 'stored'; lastFour: string };

/**
 * Reads the identity form. `offer` is the stored SSN that the page offered. Errors never repeat the
 * input.
 */
export function parseIdentity(
  form: PostedForm,
  texts: Texts,
  mode: Mode,
  offer: SsnOffer | undefined,
): Parsed<IdentityChoice> {
  const { errors, check } = collectErrors();
  const typed = form.text('ssn');
  // The first form, posted again, has no choice yet: by now its own SSN is offered.
  const choice = form.text('use') || (typed === '' ? '' : 'typed');
  if (offer && choice === offer.use) {
    const lastFour = form.text('ssnLastFour');
    check(!offer.needsDigits || /^\d{4}$/.test(lastFour), 'ssnLastFour', texts.errors.ssnLastFour);
    return errors.length > 0 ? { errors } : { value: { use: 'stored', lastFour } };
  }
  check(!offer || choice === 'typed', offer?.use ?? 'ssn', texts.errors.ssnChoice);
  if (errors.length > 0) return { errors };

  // With or without separators, including those that phones and word processors substitute.
  const ssn = typed.replace(/[\s.\-\u2010-\u2015]/g, '');
  check(/^\d{9}$/.test(ssn), 'ssn', texts.errors.ssn);
  check(isAcceptable(ssn, mode), 'ssn', mode === 'test' ? texts.errors.ssnOfTestMode : texts.errors.ssnInvalid);
  return errors.length > 0 ? { errors } : { value: { use: 'typed', ssn } };
}

/**
 * Numbers that were printed on sample cards and in a leaflet: the Social Security Administration
 * declared them void.
 */
const voidNumbers = ['078051120', '219099999'];

/**
 * Live mode refuses the numbers that the Social Security Administration never issues. Test mode
 * accepts only such numbers, from 900 on, so that test data contains no real SSN.
 */
function isAcceptable(ssn: string, mode: Mode): boolean {
  if (mode === 'test') return ssn.startsWith('9');
  return !/^(000|666|9)|^...00|0000$/.test(ssn) && !voidNumbers.includes(ssn);
}
