import { programPath } from './test/support/programs.ts';
import { webkitLauncher } from './test/support/webkit-launcher.mjs';
import base from './web-test-runner.config.mjs';

/** The same tests in WebKit. */
export default { ...base, browsers: [webkitLauncher({ binary: programPath('webkit') })] };
