/** Characters: many times what any operation answers with. Whoever sends more may send without end. */
const maxLength = 32 * 1024 * 1024;

/** The text of an answer, cut off where it gets too long: it is no JSON then. */
export function boundedText(response: Response): Promise<string> {
  const { headers } = response;
  // The usual case, and the fastest. What is compressed says nothing about its length.
  const isShort = !headers.has('content-encoding') && Number(headers.get('content-length') ?? maxLength) < maxLength;
  return isShort ? response.text() : cutText(response);
}

async function cutText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > maxLength) break;
  }
  return text;
}
