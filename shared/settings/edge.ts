/** Headers that CloudFront adds on the way to the gateway: who asks, and that it is CloudFront who says so. */
export const EDGE_HEADERS = {
  viewerAddress: 'x-viewer-address',
  originSecret: 'x-origin-secret',
} as const;
