/** The script of the scripted page. `createScriptedPage` serves it beside the page that says what it has to do. */
import type { PageScript } from '../page-script.js';
import { attack } from './attack.js';
import { perform } from './perform.js';

const script = JSON.parse(document.querySelector('#script')?.textContent ?? '') as PageScript;

if (script.scenario === 'evil') attack(script);
else perform(script);
