// app/licensing/[...path]/route.ts

export async function GET(request: Request): Promise<Response> {
  // Not before the first request: Next.js loads this file when it builds, too, where your secrets are not.
  const { licensing } = await import('./licensing');
  return licensing(request);
}

export const POST = GET;
// For pages of other origins, if you name any in `allowedOrigins`.
export const OPTIONS = GET;
