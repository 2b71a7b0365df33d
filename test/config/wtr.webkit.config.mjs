import { programPath } from '../support/programs.ts';
import { webkitLauncher } from '../support/webkit-launcher.mjs';
import base from './wtr.config.mjs';

/** The same tests in WebKit. */
export default { ...base, browsers: [webkitLauncher({ binary: programPath('webkit') })] };
