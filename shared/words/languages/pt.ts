import type { Strings } from '../strings.ts';

export const words: Strings = {
  region: 'Opinião',
  close: 'Fechar',
  send: 'Enviar',
  back: 'Voltar',
  thanks: 'Muito obrigado!',
  contact: 'Podem me escrever sobre isto',
  contactAddress: 'Seu e-mail',
  incomplete: 'Preencha este campo por completo',
  badge: 'Desenvolvido com Canvass',
  nps: ['Nada provável', 'Muito provável'],
  csat: ['Muito insatisfeito(a)', 'Insatisfeito(a)', 'Neutro', 'Satisfeito(a)', 'Muito satisfeito(a)'],
  ces: [
    'Discordo totalmente',
    'Discordo',
    'Discordo em parte',
    'Não concordo nem discordo',
    'Concordo em parte',
    'Concordo',
    'Concordo totalmente',
  ],
  pmf: ['Nada decepcionado(a)', 'Um pouco decepcionado(a)', 'Muito decepcionado(a)'],
  thumbs: ['Não útil', 'Útil'],
};
