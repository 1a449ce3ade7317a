# __launch_bounds__(arguments) k(...) { -> ... { cudasim::launch_bounds(arguments);
package RewriteCuda::LaunchBounds;
use strict;
use warnings;
use Exporter 'import';
use RewriteCuda::Tokens;

our @EXPORT = qw(rewrite_launch_bounds);

# Each thread asks first whether its block is too large; the first that finds it is ends the launch.
sub rewrite_launch_bounds {
    my ($tokens, $i) = @_;
    my $open = significant($tokens, $i + 1, 1);
    return if $open < 0 || $tokens->[$open] ne '(' || is_in_directive($tokens, $i);
    my $close = skip_parentheses($tokens, $open);
    my $body = body_start($tokens, $close + 1) // return;
    my $arguments = join '', map { is_blank($_) ? ' ' : $_ } @$tokens[$open + 1 .. $close - 1];
    $tokens->[$body] .= " cudasim::launch_bounds($arguments);";
}

# The brace that opens the function's body; nothing if this only declares it.
sub body_start {
    my ($tokens, $i) = @_;
    for (; $i < @$tokens; ++$i) {
        return $i if $tokens->[$i] eq '{';
        return if $tokens->[$i] eq ';';
        $i = skip_parentheses($tokens, $i) if $tokens->[$i] eq '(';
    }
    return;
}

sub is_in_directive {
    my ($tokens, $i) = @_;
    my $first = $i;
    for (--$i; $i >= 0; --$i) {
        last if $tokens->[$i] =~ /^\s/ && $tokens->[$i] =~ /\n/;
        $first = $i unless is_blank($tokens->[$i]);
    }
    return $tokens->[$first] eq '#';
}

1;
