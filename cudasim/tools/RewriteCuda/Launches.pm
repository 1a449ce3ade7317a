# kernel<<<shape>>>(args) -> cudasim::launcher(CUDASIM_KERNEL(kernel), cudasim::Shape(shape))(args)
package RewriteCuda::Launches;
use strict;
use warnings;
use Exporter 'import';
use RewriteCuda::Tokens;

our @EXPORT = qw(rewrite_launch);

sub rewrite_launch {
    my ($tokens, $open) = @_;
    my $callee_end = significant($tokens, $open - 1, -1);
    return if $callee_end < 0 || $tokens->[$callee_end] eq 'operator';
    my $callee = callee_start($tokens, $callee_end) // return;
    my $close = shape_end($tokens, $open) // return;
    $tokens->[$callee] = 'cudasim::launcher(CUDASIM_KERNEL(' . $tokens->[$callee];
    $tokens->[$open] = '), cudasim::Shape(';
    $tokens->[$_] = '' for $close .. $close + 1;
    $tokens->[$close + 2] = '))';
}

# Where the callee that ends at $i begins: name, space::name<3>, table[i], (*pointer), a.b->c.
sub callee_start {
    my ($tokens, $i) = @_;
    for (;;) {
        my $start = primary_start($tokens, $i) // return;
        my $before = significant($tokens, $start - 1, -1);
        return $start if $before < 0;
        my $text = $tokens->[$before];
        return $start unless $text eq '::' || $text eq '.' || $text eq '->';
        $i = significant($tokens, $before - 1, -1);
        return $before if $i < 0 || !(is_name($tokens->[$i]) || $tokens->[$i] =~ /^[>\])]$/);
    }
}

sub primary_start {
    my ($tokens, $i) = @_;
    while ($tokens->[$i] =~ /^[>\])]$/) {
        $i = matching_open($tokens, $i) // return;
        my $before = significant($tokens, $i - 1, -1);
        return $i if $before < 0 || !continues_backwards($tokens, $before, $tokens->[$i]);
        $i = $before;
    }
    return is_name($tokens->[$i]) ? $i : undef;
}

# `return (k)<<<...` is no call of return, and a template's or subscript's name stands before it.
sub continues_backwards {
    my ($tokens, $before, $open) = @_;
    my $text = $tokens->[$before];
    return $text =~ /^[\])]$/ || is_name($text) unless $open eq '(';
    return is_name($text) && $text !~ /^(?:return|else|do|case|throw|if|while|for|switch)$/;
}

my %open_of = (')' => '(', ']' => '[', '>' => '<', '}' => '{');

sub matching_open {
    my ($tokens, $i) = @_;
    my ($close, $depth) = ($tokens->[$i], 0);
    for (; $i >= 0; --$i) {
        my $text = $tokens->[$i];
        if ($text eq $close) { ++$depth }
        elsif ($text eq $open_of{$close}) { return $i if --$depth == 0 }
        elsif ($close eq '>' && $text =~ /^[)\]]$/) { $i = matching_open($tokens, $i) // return }
        elsif ($close eq '>' && $text =~ /^[;{}]$/) { return }
    }
    return;
}

# The first of the three `>` that end the shape: the last three of a run, outside of all
# brackets, before the arguments.
sub shape_end {
    my ($tokens, $open) = @_;
    my $depth = 0;
    for (my $i = $open + 1; $i < @$tokens; ++$i) {
        my $text = $tokens->[$i];
        if    ($text =~ /^[(\[{]$/) { ++$depth }
        elsif ($text =~ /^[)\]}]$/) { return if --$depth < 0 }
        elsif ($text eq '>' && $depth == 0) {
            my $run = 1;
            ++$run while ($tokens->[$i + $run] // '') eq '>';
            my $next = significant($tokens, $i + $run, 1);
            return $i + $run - 3 if $run >= 3 && $next >= 0 && $tokens->[$next] eq '(';
            $i += $run - 1;
        }
    }
    return;
}

1;
