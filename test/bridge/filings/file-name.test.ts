import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { attachmentHeader, fileNameOf } from '../../../src/bridge/domain/filings/file-name.js';

test('A file name says where and whom with letters, digits and hyphens only, and the header has other letters encoded.', () => {
  const long = 'a'.repeat(39);
  for (const [parts, plain, full] of [
    [['TX', 'Rivera', 'Ana', 'AB2C-3DE4'], 'TX-Rivera-Ana-AB2C-3DE4'],
    [['TX', 'García-Núñez', 'AB2C'], 'TX-Garcia-Nunez-AB2C', 'TX-Garc%C3%ADa-N%C3%BA%C3%B1ez-AB2C'],
    [['', '王', 'AB2C'], 'AB2C', '%E7%8E%8B-AB2C'],
    [['TX', `../"; x\r\n'`, 'AB2C'], 'TX-x-AB2C'],
    [['--O’Neil  --'], 'O-Neil'],
    // Cut to forty letters, and a hyphen at the cut goes.
    [[`${long}bc`], `${long}b`],
    [[`${long}--bc`], long],
    // A pair of surrogates is not cut in half.
    [[`${long}\u{20bb7}\u{20bb7}`], long, `${long}%F0%A0%AE%B7`],
  ] as [string[], string, string?][]) {
    const extended = full === undefined ? '' : `; filename*=UTF-8''${full}.pdf`;
    equal(attachmentHeader(fileNameOf(parts, 'pdf')), `attachment; filename="${plain}.pdf"${extended}`);
  }
});
