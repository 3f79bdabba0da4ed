/** Examples of the console's routes; a test validates each against its schema. */

export const consoleSignIn = {
  input: { project: 'p7k2m9' },
  reply: {
    project: { id: 'p7k2m9', name: 'Shop', accent: '#0b6e4f' },
    issuer: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Abc123',
    clientId: '4f0e1d2c3b4a5968',
    authorizationEndpoint: 'https://shop.auth.eu-west-1.amazoncognito.com/oauth2/authorize',
    tokenEndpoint: 'https://shop.auth.eu-west-1.amazoncognito.com/oauth2/token',
    scope: 'openid email profile',
  },
};
