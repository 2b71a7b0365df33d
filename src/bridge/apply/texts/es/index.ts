import type { Texts } from '../texts.js';
import { attestations, disclosures } from '../../../catalogue/es/disclosures.js';
import { errors } from './errors.js';
import { layout } from './layout.js';
import { pages } from './pages.js';
import { questions } from '../../../catalogue/es/questions.js';
import { results } from './results.js';

/** The application in Spanish. */
export const es: Texts = { layout, errors, ...pages, ...results, questions, disclosureBank: disclosures, attestations };
