# The tokens of CUDA C++, and steps over them.
package RewriteCuda::Tokens;
use strict;
use warnings;
use Exporter 'import';

our @EXPORT = qw(tokens is_blank is_name significant skip_parentheses skip_angles);

# A token's leading backslash-newlines and blanks are tokens too: nothing is lost, and
# joining the tokens gives the text back.
my $token = qr{
    \s+ | \\\r?\n
  | //(?:[^\\\n]|\\\r?\n|\\)* | /\*.*?\*/
  | (?:u8|[uUL])?R"([^()\\\s]{0,16})\(.*?\)\g{-1}"
  | (?:u8|[uUL])?"(?:[^"\\\n]|\\.)*" | (?:[uUL])?'(?:[^'\\\n]|\\.)+'
  | [A-Za-z_\$][\w\$]*
  | \.?\d(?:[eEpP][+-]|'?[\w.])*
  | <<< | :: | -> | .
}xs;

sub tokens {
    my ($text) = @_;
    my @tokens;
    push @tokens, $& while $text =~ /\G$token/gc;
    return @tokens;
}

sub is_blank { return $_[0] =~ m{^(?:\s|//|/\*|\\\r?\n)} }
sub is_name  { return $_[0] =~ /^[A-Za-z_\$]/ && $_[0] !~ /["']/ }

# The index of the next significant token from $i in direction $step, or -1.
sub significant {
    my ($tokens, $i, $step) = @_;
    $i += $step while $i >= 0 && $i < @$tokens && is_blank($tokens->[$i]);
    return $i >= 0 && $i < @$tokens ? $i : -1;
}

sub skip_parentheses { return skip_brackets(@_, '(', ')') }
sub skip_angles      { return skip_brackets(@_, '<', '>') }

sub skip_brackets {
    my ($tokens, $i, $open, $close) = @_;
    my $depth = 0;
    for (; $i < @$tokens; ++$i) {
        ++$depth if $tokens->[$i] eq $open;
        return $i if $tokens->[$i] eq $close && --$depth == 0;
    }
    return $i;
}

1;
