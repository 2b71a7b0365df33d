/** The part of the channel that the element loads: importing the whole room would bring the hosted page's end along. */
export { openElementEnd } from '../channel/index.js';
