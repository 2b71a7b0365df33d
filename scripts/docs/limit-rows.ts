import {
  bodyBytes,
  characters,
  furtherFeeCents,
  inputLimits,
  operatorTimes,
  periodInWords,
  rateLimits,
  serverLimits,
  triesPerApplication,
  triesPerDay,
} from '../../src/bridge/domain/limits/limits.js';

/** Returns a row for each rate: what, within which time, counted by what. */
export function rateLimitRows(): string[][] {
  return Object.values(rateLimits).map(({ points, seconds, what, by }) => [
    `${number(points)} ${what}`,
    periodInWords(seconds),
    by,
  ]);
}

/** Returns a row for each size and time: what, and how much of it. */
export function inputLimitRows(): string[][] {
  const sizes = [...new Set<number>(Object.values(bodyBytes))];
  const bodies = sizes.map((size) => {
    const ids = Object.entries(bodyBytes).filter(([, bytes]) => bytes === size);
    return [`Bytes of the body of ${ids.map(([id]) => `\`${id}\``).join(', ')}`, number(size)];
  });
  const bounds = [
    ...Object.values(inputLimits),
    ...Object.values(characters),
    furtherFeeCents,
    ...Object.values(triesPerApplication),
    ...Object.values(triesPerDay).filter((value) => typeof value === 'object'),
    ...Object.values(operatorTimes),
  ];
  const inputs = bounds.map(({ doc, max }) => [doc, number(max)]);
  const { connections, connectionsOfAddress, headerBytes, headersMs, requestMs, uploadBytesPerSecond, exchangeMs } =
    serverLimits;
  return [
    ...bodies,
    ...inputs,
    ['Connections to one port', number(connections)],
    ['Connections of one IP address to one port, where no trusted proxy is in front', number(connectionsOfAddress)],
    ['Bytes of the headers of a request', number(headerBytes)],
    ['Seconds for the headers of a request', number(headersMs / 1_000)],
    ['Seconds for a whole request', number(requestMs / 1_000)],
    [
      'Bytes a second that the upload of a document brings at least, once that time is over',
      number(uploadBytesPerSecond),
    ],
    ['Seconds for a request and its answer', number(exchangeMs / 1_000)],
  ];
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
