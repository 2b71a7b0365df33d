// app/licensing/[...path]/route.ts

export async function GET(request: Request): Promise<Response> {
  // Created at the first request, because Next.js also loads this file during the build, without
  // your secrets.
  const { licensing } = await import('./licensing');
  return licensing(request);
}

export const POST = GET;
// For pages of other origins, if you name any in `allowedOrigins`.
export const OPTIONS = GET;
