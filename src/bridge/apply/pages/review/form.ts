import { attestationsFor } from '../../../catalogue/disclosures.js';
import type { Signature } from '../../../domain/applications/signature.js';
import { characters } from '../../../domain/limits/limits.js';
import { collectErrors, type Parsed, type PostedForm } from '../../../pages/forms.js';
import type { PageContext } from '../../page-context.js';

/** Reads the signature below an application of `name`. */
export function parseSignature(
  form: PostedForm,
  { texts, session }: Pick<PageContext, 'texts' | 'session'>,
  name: string,
): Parsed<Pick<Signature, 'signedName' | 'attested'>> {
  const { errors, check } = collectErrors();
  const signedName = form.text('signedName');
  const attested = form.all('attest');
  const wanted = attestationsFor(session.pinned, session.application);
  const missing = wanted.find((id) => !attested.includes(id));
  check(missing === undefined, `attest-${missing ?? ''}`, texts.errors.attest);
  // Checks the length first: normalizing many combining marks takes quadratic time and would block
  // all requests.
  const isSigned = signedName.length <= characters.signedName.max && sameName(signedName, name);
  check(isSigned, 'signedName', texts.errors.signedName(name));
  return errors.length > 0 ? { errors } : { value: { signedName, attested: wanted } };
}

/** Ignores case, accents, repeated spaces and the variants of apostrophes and hyphens on phones. */
function sameName(left: string, right: string): boolean {
  const plain = (name: string) =>
    name
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .replace(/[’‘ʼ`´]/g, "'")
      .replace(/\p{Pd}/gu, '-')
      .replace(/\s+/g, ' ')
      .trim()
      .toLowerCase();
  return plain(left) === plain(right);
}
