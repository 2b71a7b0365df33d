import { attestations, disclosures } from '../../../catalogue/en/disclosures.js';
import { errors } from './errors.js';
import { layout } from './layout.js';
import { pages } from './pages.js';
import { questions } from '../../../catalogue/en/questions.js';
import { results } from './results.js';

/** The application in English. */
export const en = { layout, errors, ...pages, ...results, questions, disclosureBank: disclosures, attestations };
