/** The secret of signed webhooks, as Standard Webhooks writes them. Of the benchmark only. */
export const signingSecret = `whsec_${Buffer.from('a-secret-of-the-benchmark-only--').toString('base64')}`;
