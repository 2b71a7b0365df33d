import { randomId } from '../domain/keys/keys.js';
import { withRequestId } from '../domain/request-id.js';
import { checkBridge } from '../service/check/check-bridge.js';
import { isReady, type Finding } from '../service/check/finding.js';
import { scrubText } from '../config/log.js';
import { type Command, CommandError, commandLog, withoutTimeouts } from './command.js';

/** `licensing-bridge check` */
export const checkCommand: Command = {
  name: 'check',
  doc: 'Say what is set and what is missing for live mode, and try each connection; exit code 1 until nothing is missing.',
  audits: [],
  options: {},
  // A missing key is one of its results.
  needsKey: false,
  async run({ environment, variables, actor, print }) {
    const options = { variables, log: commandLog(environment), actor };
    const found = await withRequestId(randomId('cmd'), () => checkBridge(withoutTimeouts(environment), options));
    const findings = found.map((each) => ({ ...each, text: scrubText(each.text) }));
    const ready = isReady(findings);
    print({ ready, findings }, [...linesOf(findings), ...(ready ? ['', 'Ready for live mode.'] : [])]);
    if (!ready) throw new CommandError(`Not ready for live mode: ${countOf(findings)}.`);
  },
};

function linesOf(findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  return findings.map(({ status, subject, text }) => `${status.padEnd(7)}  ${subject.padEnd(width)}  ${text}`);
}

function countOf(findings: readonly Finding[]): string {
  const count = (wanted: Finding['status']) => findings.filter(({ status }) => status === wanted).length;
  return `${count('missing')} missing, ${count('failed')} failed`;
}
