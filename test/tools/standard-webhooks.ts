/**
 * The library of the comparison, which is installed beside this file and found from nowhere else.
 */
export { Webhook } from 'standardwebhooks';
