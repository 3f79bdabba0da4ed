/** The output of the stack that names the construct's secret for a mint key; absent where nothing may mint. */
export const MINT_KEY_OUTPUT = 'MintKeySecretName';
