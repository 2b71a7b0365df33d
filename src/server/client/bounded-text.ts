/** Characters: many times what any operation answers with. Whoever sends more may send without end. */
const maxLength = 32 * 1024 * 1024;

/** The text of an answer, cut off where it gets too long: it is no JSON then. */
export async function boundedText(response: Response): Promise<string> {
  const { headers, body } = response;
  // The usual case, and the fastest. What is compressed says nothing about its length.
  if (!headers.has('content-encoding') && Number(headers.get('content-length') ?? maxLength) < maxLength) {
    return response.text();
  }
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > maxLength) break;
  }
  return text;
}
