/**
 * The script of the scripted page. `createScriptedPage` serves it, and puts its configuration into
 * the page.
 */
import type { PageScript } from '../page-script.js';
import { attack } from './attack.js';
import { perform } from './perform.js';

const script = JSON.parse(document.querySelector('#script')?.textContent ?? '') as PageScript;

if (script.scenario === 'evil') attack(script);
else perform(script);
