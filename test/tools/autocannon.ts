/** The load generator, which is installed beside this file and found from nowhere else. */
export { default as autocannon, type Result } from 'autocannon';
